import * as ascii from '../../core/ascii.ts';
import { isHighSurrogate } from '../../core/shorten-text.ts';

/** A line in a buffer: the UTF-8 bytes from `start` to `end`. */
export interface ByteLine {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Maximum number of UTF-16 code units that are encoded at a time. */
const PIECE_LENGTH = 64 * 1024;

/** Maximum UTF-8 size of a UTF-16 code unit. */
export const MAX_BYTES_PER_UNIT = 3;

const INITIAL_BYTES = 4 * 1024;

/** A buffer that had to grow beyond this size is released. */
export const MAX_KEPT_BYTES = 1024 * 1024;

/** Splits text into lines of UTF-8 bytes without LF or CRLF. A line is valid until {@link drop}. */
export class LineBytes implements ByteLine {
  bytes = Buffer.allocUnsafe(INITIAL_BYTES);
  /** Start and end of the current line. */
  start = 0;
  end = 0;
  /** Index after the newline, or -1 if there is no current line. */
  #next = -1;
  /** There is no newline between `start` and here. */
  #searchedTo = 0;
  /** Index after the last byte. */
  #filledTo = 0;
  /** Text from which the rest, at `#textAt`, is not encoded yet. */
  #text = '';
  #textAt = 0;
  #hasEnded = false;

  /** Adds a chunk. Only valid if {@link hasLine} is false. */
  push(text: string): void {
    this.#text = text;
    this.#textAt = 0;
  }

  /** Called after the last chunk: the rest is a line, too. */
  finish(): void {
    this.#hasEnded = true;
  }

  hasLine(): boolean {
    while (this.#next === -1) {
      if (this.#findEnd()) return true;
      if (this.#textAt < this.#text.length) this.#refill();
      else return this.#hasEnded && this.#showRest();
    }
    return true;
  }

  /** Moves to the next line. Only valid if there is a current one. @returns the size of the line and its end. */
  drop(): number {
    const byteLength = this.#next - this.start;
    this.start = this.#next;
    this.#searchedTo = this.#next;
    this.#next = -1;
    return byteLength;
  }

  #findEnd(): boolean {
    const newlineAt =
      this.#searchedTo < this.#filledTo ? this.bytes.indexOf(ascii.NEWLINE, this.#searchedTo) : -1;
    // The buffer may contain newlines of earlier lines behind the last byte.
    if (newlineAt === -1 || newlineAt >= this.#filledTo) {
      this.#searchedTo = this.#filledTo;
      return false;
    }
    this.#show(newlineAt, newlineAt + 1);
    return true;
  }

  #showRest(): boolean {
    if (this.start === this.#filledTo) return false;
    this.#show(this.#filledTo, this.#filledTo);
    return true;
  }

  #show(end: number, next: number): void {
    this.end = end > this.start && this.bytes[end - 1] === ascii.CARRIAGE_RETURN ? end - 1 : end;
    this.#next = next;
  }

  #refill(): void {
    const part = this.#nextPiece();
    this.#reserve(part.length * MAX_BYTES_PER_UNIT);
    this.#filledTo += this.bytes.write(part, this.#filledTo);
  }

  #nextPiece(): string {
    const from = this.#textAt;
    let to = Math.min(this.#text.length, from + PIECE_LENGTH);
    if (to < this.#text.length && isHighSurrogate(this.#text.charCodeAt(to - 1))) to--;
    this.#textAt = to;
    if (to < this.#text.length) return this.#text.slice(from, to);
    const part = from === 0 ? this.#text : this.#text.slice(from);
    this.#text = '';
    this.#textAt = 0;
    return part;
  }

  /** Moves the current line to the start of a buffer with space for `bytes` more. */
  #reserve(bytes: number): void {
    const before = this.bytes;
    const left = this.#filledTo - this.start;
    if (left + bytes > before.length) {
      this.bytes = Buffer.allocUnsafeSlow(Math.max(left + bytes, 2 * left));
    } else if (before.length > MAX_KEPT_BYTES && left + bytes < MAX_KEPT_BYTES / 2) {
      this.bytes = Buffer.allocUnsafeSlow(left + bytes);
    }
    if (left > 0) before.copy(this.bytes, 0, this.start, this.#filledTo);
    this.#searchedTo -= this.start;
    this.#filledTo = left;
    this.start = 0;
  }
}

export function byteLine(text: string): ByteLine {
  const bytes = Buffer.from(text);
  return { bytes, start: 0, end: bytes.length };
}

export function lineText({ bytes, start, end }: ByteLine): string {
  return bytes.toString('utf8', start, end);
}
