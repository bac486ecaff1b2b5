import { CARRIAGE_RETURN, DELETE, NEWLINE as LF, SPACE } from './ascii.ts';
import { type Chunks, concatBytes, NO_BYTES, utf8Bytes, utf8Text, withoutMark } from './bytes.ts';

/** Longer lines are split, so that input without newlines can't exhaust memory. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;
const MAX_CHARACTER_BYTES = 4;
/** V8 allocates the text of larger pieces outside of its young generation, at five times the cost. */
const PIECE_BYTES = 64 * 1024;

/**
 * Splits a stream of UTF-8 chunks into lines. Chunk boundaries may be within a character or between CR and LF. Lines
 * end in LF or CRLF, which are not included. Strings are those of lines that are not blank.
 *
 * Decodes all complete lines of a chunk at once. Keeps the bytes of an incomplete line without searching or copying
 * them again, so long lines stay cheap.
 */
export class LineSplitter {
  /** Copies of the start of an incomplete line: chunks may be parts of a buffer that is used again. */
  #beginning: Uint8Array[] = [];
  /** Number of bytes of the incomplete line. */
  beginningBytes = 0;
  /** Where the beginning and the rest of a line are put together. */
  #whole = new Uint8Array();
  #isAtStart = true;

  /** The lines that `chunk` completes. */
  push(chunk: Uint8Array): string[] {
    const bytes = this.pushBytes(chunk);
    return bytes === undefined ? [] : linesOf(utf8Text(bytes));
  }

  /**
   * The bytes of the lines that `chunk` completes, without the last LF; `undefined` if it completes none. They are
   * only valid until the next call.
   */
  pushBytes(chunk: Uint8Array): Uint8Array | undefined {
    const end = chunk.lastIndexOf(LF);
    if (end === -1) {
      this.#keep(chunk);
      return undefined;
    }
    const lines = chunk.subarray(0, end);
    const bytes = this.beginningBytes === 0 ? this.#withoutMark(lines) : this.#completeBeginning(lines);
    this.#keep(chunk.subarray(end + 1));
    return bytes;
  }

  /** The last line, if the stream ended without LF. Resets the splitter. */
  flush(): string[] {
    return linesOf(utf8Text(this.flushBytes()));
  }

  /** {@link flush} as bytes, with the CR of CRLF; empty if there is no line. */
  flushBytes(): Uint8Array {
    return this.#completeBeginning(NO_BYTES);
  }

  /** Removes the incomplete line, except for a few bytes if the last character may be incomplete. */
  takeBeginning(): string {
    const whole = concatBytes(this.#beginning);
    let end = Math.max(0, whole.length - MAX_CHARACTER_BYTES);
    // All bytes of a character but the first are continuations.
    while (end < whole.length && (whole[end]! & 0xc0) === 0x80) end++;
    this.#beginning = [];
    this.beginningBytes = 0;
    this.#keep(whole.subarray(end));
    return utf8Text(this.#withoutMark(whole.subarray(0, end)));
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#beginning.push(new Uint8Array(bytes));
    this.beginningBytes += bytes.length;
  }

  #completeBeginning(end: Uint8Array): Uint8Array {
    const size = this.beginningBytes + end.length;
    if (this.#whole.length < size) this.#whole = new Uint8Array(size);
    concatBytes([...this.#beginning, end], this.#whole);
    this.#beginning = [];
    this.beginningBytes = 0;
    return this.#withoutMark(this.#whole.subarray(0, size));
  }

  #withoutMark(bytes: Uint8Array): Uint8Array {
    if (!this.#isAtStart || bytes.length === 0) return bytes;
    this.#isAtStart = false;
    return withoutMark(bytes);
  }
}

/** What {@link wholeLines} yields for an empty chunk after a whole line: for now, nothing follows. */
export const SILENCE = new Uint8Array();

/** The bytes of lines that arrive together, without the last newline. They are only valid until the next ones. */
export async function* wholeLines(chunks: Chunks): AsyncGenerator<Uint8Array> {
  const splitter = new LineSplitter();
  for await (const chunk of chunks) {
    const isSilent = chunk.length === 0 && splitter.beginningBytes === 0;
    const bytes = isSilent ? SILENCE : splitter.pushBytes(chunk);
    if (bytes !== undefined) for (const lines of piecesOf(bytes)) yield lines;
    if (splitter.beginningBytes > MAX_LINE_BYTES) yield utf8Bytes(splitter.takeBeginning());
  }
  const rest = splitter.flushBytes();
  if (rest.length > 0) yield rest;
}

/** Whole lines in pieces whose text is cheap to allocate. */
function* piecesOf(lines: Uint8Array): Generator<Uint8Array> {
  let rest = lines;
  for (let end = 0; end !== -1; rest = rest.subarray(end + 1)) {
    end = rest.indexOf(LF, PIECE_BYTES);
    yield end === -1 ? rest : rest.subarray(0, end);
  }
}

function linesOf(text: string): string[] {
  const lines = (text.includes('\r') ? text.replaceAll(/\r(?=\n|$)/g, '') : text).split('\n');
  return lines.filter((line) => isPrinted(line.charCodeAt(0)) || line.trim() !== '');
}

/** Where the line at a position ends, before LF or CRLF. */
export function lineEnd(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  const end = newline === -1 ? text.length : newline;
  return end > at && text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end;
}

/** Whether an ASCII character is no whitespace. */
export function isPrinted(code: number): boolean {
  return code > SPACE && code < DELETE;
}
