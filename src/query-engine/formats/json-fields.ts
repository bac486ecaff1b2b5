/** Is told of every value in a JSON text, with its path as a field name. `text` of a string is the string itself. */
export type JsonSink = (path: string, text: string, kind: 'value' | 'null') => void;

const WHITE_SPACE = /[ \t\n\r]*/y;
const SCALAR = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/sy;
/** Deeper than any event, and far from the end of the stack. */
const MAX_DEPTH = 200;

/**
 * Reads a JSON text value by value: `a.b[0].c`. Numbers keep the text they are written in, which `JSON.parse` loses.
 *
 * @returns whether it was JSON; what was told before it turned out not to be is void.
 */
export function readJson(text: string, sink: JsonSink): boolean {
  try {
    const reader = new JsonReader(text, sink);
    reader.readValue('', 0);
    return reader.isAtEnd();
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

class JsonReader {
  readonly #text: string;
  readonly #sink: JsonSink;
  #position = 0;

  constructor(text: string, sink: JsonSink) {
    this.#text = text;
    this.#sink = sink;
  }

  isAtEnd(): boolean {
    this.#skipWhiteSpace();
    return this.#position === this.#text.length;
  }

  readValue(path: string, depth: number): void {
    if (depth > MAX_DEPTH) throw new SyntaxError('too deep');
    this.#skipWhiteSpace();
    const first = this.#text[this.#position];
    if (first === '{') this.#readMembers(path, depth);
    else if (first === '[') this.#readElements(path, depth);
    else this.#readScalar(path, first === '"');
  }

  #readScalar(path: string, isString: boolean): void {
    const scalar = this.#take(SCALAR);
    this.#sink(path, isString ? JSON.parse(scalar) : scalar, scalar === 'null' ? 'null' : 'value');
  }

  #readMembers(path: string, depth: number): void {
    this.#readItems('}', () => {
      this.#skipWhiteSpace();
      const scalar = this.#take(SCALAR);
      if (scalar[0] !== '"') throw new SyntaxError('a key must be a string');
      const key: string = JSON.parse(scalar);
      this.#expect(':');
      this.readValue(path === '' ? key : `${path}.${key}`, depth + 1);
    });
  }

  #readElements(path: string, depth: number): void {
    let index = 0;
    this.#readItems(']', () => {
      this.readValue(`${path}[${index}]`, depth + 1);
      index += 1;
    });
  }

  #readItems(close: string, readItem: () => void): void {
    this.#position += 1;
    this.#skipWhiteSpace();
    if (this.#text[this.#position] === close) {
      this.#position += 1;
      return;
    }
    for (;;) {
      readItem();
      this.#skipWhiteSpace();
      const next = this.#text[this.#position];
      this.#position += 1;
      if (next === close) return;
      if (next !== ',') throw new SyntaxError(`expected , or ${close}`);
    }
  }

  #expect(character: string): void {
    this.#skipWhiteSpace();
    if (this.#text[this.#position] !== character) throw new SyntaxError(`expected ${character}`);
    this.#position += 1;
  }

  #skipWhiteSpace(): void {
    this.#take(WHITE_SPACE);
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#position;
    const [taken] = pattern.exec(this.#text) ?? [];
    if (taken === undefined) throw new SyntaxError('expected a value');
    this.#position += taken.length;
    return taken;
  }
}
