/** A line in the caller's memory: the UTF-8 bytes from `start` to `end`. */
export interface ByteLine {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** As much text is made bytes at a time. */
const PIECE_LENGTH = 64 * 1024;

/** UTF-8 takes at most this many bytes for a unit of a string. */
const MAX_BYTES_PER_UNIT = 3;

const USUAL_BYTES = 4 * 1024;

/** Memory that had to grow beyond this is given back. */
const LARGE_BYTES = 1024 * 1024;

/**
 * Cuts text that comes in chunks into lines, which it shows as bytes. A line ends in LF or CRLF; neither is part of it.
 * The line that is shown stays until it is dropped, and its bytes as long.
 */
export class LineBytes implements ByteLine {
  bytes = Buffer.allocUnsafe(USUAL_BYTES);
  /** The present line. */
  start = 0;
  end = 0;
  /** The place behind the line's end, or -1 when there is no line. */
  #next = -1;
  /** There is no line end between `start` and here. */
  #searchedTo = 0;
  /** The place behind all bytes. */
  #filledTo = 0;
  /** What has not been made bytes yet. */
  #text = '';
  #textAt = 0;
  #hasEnded = false;

  /** Adds a chunk. Only when there is no line left. */
  push(text: string): void {
    this.#text = text;
    this.#textAt = 0;
  }

  /** No chunk comes any more: what is left is a line, too. */
  finish(): void {
    this.#hasEnded = true;
  }

  /** Whether there is a line. */
  hasLine(): boolean {
    while (this.#next === -1) {
      if (this.#findEnd()) return true;
      if (this.#textAt < this.#text.length) this.#refill();
      else return this.#hasEnded && this.#showRest();
    }
    return true;
  }

  /** Goes to the next line. There has to be a present one. */
  drop(): void {
    this.start = this.#next;
    this.#searchedTo = this.#next;
    this.#next = -1;
  }

  #findEnd(): boolean {
    const found = this.#searchedTo < this.#filledTo ? this.bytes.indexOf(NEWLINE, this.#searchedTo) : -1;
    // Behind the last byte there may be some of earlier lines.
    if (found === -1 || found >= this.#filledTo) {
      this.#searchedTo = this.#filledTo;
      return false;
    }
    this.#show(found, found + 1);
    return true;
  }

  #showRest(): boolean {
    if (this.start === this.#filledTo) return false;
    this.#show(this.#filledTo, this.#filledTo);
    return true;
  }

  #show(end: number, next: number): void {
    this.end = end > this.start && this.bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    this.#next = next;
  }

  #refill(): void {
    const part = this.#nextPiece();
    this.#makeRoom(part.length * MAX_BYTES_PER_UNIT);
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

  /** Moves what is left to the beginning of a memory that has room for `bytes` more. */
  #makeRoom(bytes: number): void {
    const before = this.bytes;
    const left = this.#filledTo - this.start;
    if (left + bytes > before.length) {
      this.bytes = Buffer.allocUnsafeSlow(Math.max(left + bytes, 2 * left));
    } else if (before.length > LARGE_BYTES && left + bytes < LARGE_BYTES / 2) {
      this.bytes = Buffer.allocUnsafeSlow(left + bytes);
    }
    if (left > 0) before.copy(this.bytes, 0, this.start, this.#filledTo);
    this.#searchedTo -= this.start;
    this.#filledTo = left;
    this.start = 0;
  }
}

/** A line with memory of its own. */
export function byteLine(text: string): ByteLine {
  const bytes = Buffer.from(text);
  return { bytes, start: 0, end: bytes.length };
}

/** The text of a line. */
export function lineText({ bytes, start, end }: ByteLine): string {
  return bytes.toString('utf8', start, end);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
