/**
 * Cuts a stream of UTF-8 chunks into lines, whatever the chunks' borders: they may fall inside a character or
 * between CR and LF. A line ends in LF or CRLF; neither is part of it. Blank lines are lines here.
 */
export class LineSplitter {
  readonly #decoder = new TextDecoder();
  /** The beginning of a line whose end has not arrived. Only new text is ever searched, so long lines stay cheap. */
  #beginning = '';

  /** The lines that `chunk` completes. Text that somebody else has decoded is taken as it is. */
  push(chunk: Uint8Array | string): string[] {
    return this.#cut(typeof chunk === 'string' ? chunk : this.#decoder.decode(chunk, { stream: true }));
  }

  /** The last line, if the stream ended without LF. The splitter is empty afterwards. */
  flush(): string[] {
    const lines = this.#cut(this.#decoder.decode());
    if (this.#beginning === '') return lines;
    lines.push(withoutCarriageReturn(this.#beginning));
    this.#beginning = '';
    return lines;
  }

  #cut(text: string): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      lines.push(withoutCarriageReturn(this.#beginning + text.slice(from, end)));
      this.#beginning = '';
      from = end + 1;
    }
    this.#beginning += text.slice(from);
    return lines;
  }
}

function withoutCarriageReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
