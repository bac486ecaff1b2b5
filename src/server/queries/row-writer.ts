import { QueryMemoryError } from '../../engine/index.ts';
import { nextTurn } from '../event-loop.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import type { RowFormat } from './row-format.ts';

/** Number of rows between two turns of the event loop. */
const ROWS_PER_PIECE = 256;
const PIECE_LENGTH = 256 * 1024;

export class RowWriter {
  readonly #format: RowFormat;
  readonly #maxLength: number;
  #text = '';
  #hasHead = false;
  #rows = 0;

  /** @param maxLength maximum length of pending text, in UTF-16 code units. */
  constructor(format: RowFormat, maxLength = Number.POSITIVE_INFINITY) {
    this.#format = format;
    this.#maxLength = maxLength;
  }

  get length(): number {
    return this.#text.length;
  }

  /** @throws QueryMemoryError if too much text is pending: one event can become very many rows. */
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

  /** The text since the previous call. Empty before the first row, even if the format has a header. */
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

/** @param onEnd called when the last piece was taken. */
export async function* streamRows(
  rows: readonly StoredEvent[],
  format: RowFormat,
  onEnd: () => void = () => {},
): AsyncGenerator<string> {
  const writer = new RowWriter(format);
  for (const [index, row] of rows.entries()) {
    writer.write(row);
    if (index % ROWS_PER_PIECE !== ROWS_PER_PIECE - 1 && writer.length < PIECE_LENGTH) continue;
    yield writer.take();
    await nextTurn();
  }
  writer.end();
  yield writer.take();
  onEnd();
}

/** All pieces, of which the first was taken. */
export async function* resumed<Piece>(taken: Piece, rest: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  yield taken;
  yield* rest;
}
