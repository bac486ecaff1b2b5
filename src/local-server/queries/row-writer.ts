import type { StoredEvent } from '../store/stored-event.ts';
import type { RowFormat } from './row-format.ts';

/** Gathers rows as text until somebody takes it. */
export class RowWriter {
  readonly #format: RowFormat;
  #text: string;
  #isFirst = true;

  constructor(format: RowFormat) {
    this.#format = format;
    this.#text = format.head;
  }

  write(row: StoredEvent): void {
    this.#text += this.#format.row(row, this.#isFirst);
    this.#isFirst = false;
  }

  end(): void {
    this.#text += this.#format.tail;
  }

  /** What has come together since the last time. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}
