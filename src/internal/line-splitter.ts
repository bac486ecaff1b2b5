const LF = 0x0a;
const NOTHING = new Uint8Array();

/**
 * Cuts a stream of UTF-8 chunks into lines, whatever the chunks' borders: they may fall inside a character or
 * between CR and LF. A line ends in LF or CRLF; neither is part of it. Blank lines are lines here.
 *
 * All whole lines of a chunk are decoded at once. Bytes of a line whose end has not arrived are only kept, and neither
 * searched nor copied again when more of them come, so long lines stay cheap.
 */
export class LineSplitter {
  /** The beginning of a line. A chunk belongs to the splitter. */
  #beginning: Uint8Array[] = [];
  #beginningBytes = 0;
  #isAtStart = true;

  /** How many bytes there are of a line whose end has not arrived. */
  get beginningBytes(): number {
    return this.#beginningBytes;
  }

  /** The lines that `chunk` completes. */
  push(chunk: Uint8Array): string[] {
    const end = chunk.lastIndexOf(LF);
    if (end === -1) {
      this.#keep(chunk);
      return [];
    }
    const start = this.#beginningBytes === 0 ? 0 : chunk.indexOf(LF) + 1;
    const first = start === 0 ? [] : linesOf(this.#completeBeginning(chunk.subarray(0, start - 1)));
    const rest = start > end ? [] : linesOf(this.#decode(chunk.subarray(start, end)));
    this.#keep(chunk.subarray(end + 1));
    return first.length === 0 ? rest : first.concat(rest);
  }

  /** The last line, if the stream ended without LF. The splitter is empty afterwards. */
  flush(): string[] {
    const last = this.#completeBeginning(NOTHING);
    return last === '' ? [] : linesOf(last);
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#beginning.push(bytes);
    this.#beginningBytes += bytes.length;
  }

  #completeBeginning(end: Uint8Array): string {
    const whole = Buffer.concat([...this.#beginning, end]);
    this.#beginning = [];
    this.#beginningBytes = 0;
    return this.#decode(whole);
  }

  #decode({ buffer, byteOffset, byteLength }: Uint8Array): string {
    // A decoder of streams would make strings of two bytes for each character.
    const text = Buffer.from(buffer, byteOffset, byteLength).toString();
    if (!this.#isAtStart || text === '') return text;
    this.#isAtStart = false;
    return text.startsWith('\ufeff') ? text.slice(1) : text;
  }
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  return text.includes('\r') ? lines.map(withoutCarriageReturn) : lines;
}

function withoutCarriageReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
