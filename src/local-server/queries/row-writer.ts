import { QueryMemoryError } from '../../query-engine/index.ts';
import { nextTurn } from '../event-loop.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import type { RowFormat } from './row-format.ts';

/** Rows written between two turns of the event loop, and the length of their text, in UTF-16 units. */
const ROWS_PER_PIECE = 256;
const PIECE_LENGTH = 256 * 1024;

export class RowWriter {
  readonly #format: RowFormat;
  readonly #maxLength: number;
  #text = '';
  #hasHead = false;
  #rows = 0;

  /** @param maxLength how much may wait to be taken, in UTF-16 units. */
  constructor(format: RowFormat, maxLength = Number.POSITIVE_INFINITY) {
    this.#format = format;
    this.#maxLength = maxLength;
  }

  get length(): number {
    return this.#text.length;
  }

  /** @throws QueryMemoryError when too much waits: one event can become very many rows. */
  write(row: StoredEvent): void {
    this.#begin();
    this.#text += this.#format.row(row, this.#rows === 0);
    this.#rows++;
    if (this.#text.length > this.#maxLength) throw new QueryMemoryError(this.#maxLength);
  }

  end(): void {
    this.#begin();
    this.#text += this.#format.tail;
  }

  /** What has come together since the last time: nothing, not even the head, before the first row. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  #begin(): void {
    if (!this.#hasHead) this.#text += this.#format.head;
    this.#hasHead = true;
  }
}

export async function* streamRows(rows: readonly StoredEvent[], format: RowFormat): AsyncGenerator<string> {
  const writer = new RowWriter(format);
  for (const [index, row] of rows.entries()) {
    writer.write(row);
    if (index % ROWS_PER_PIECE !== ROWS_PER_PIECE - 1 && writer.length < PIECE_LENGTH) continue;
    yield writer.take();
    await nextTurn();
  }
  writer.end();
  yield writer.take();
}

export async function* resumed(taken: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield taken;
  yield* rest;
}
