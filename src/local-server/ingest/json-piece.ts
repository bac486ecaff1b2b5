import { endOfString, UNUSUAL } from './json-tokens.ts';
import { SYSTEM_FIELDS } from './system-fields.ts';

/** Nobody nests deeper on purpose. */
const MAX_DEPTH = 200;
/** How many objects and arrays may begin between two values. */
const MAX_OPENED = 500;

const OPEN_OBJECT = '{';
const CLOSE_OBJECT = '}';
const OPEN_ARRAY = '[';
const CLOSE_ARRAY = ']';
const COMMA = ',';
const COLON = ':';
const QUOTE = '"';

/** An object or an array that is not closed yet, as it is at one place. */
export interface Container {
  readonly isArray: boolean;
  /** The name of the field that its value would be; `undefined` for the object that is the whole. */
  readonly name: string | undefined;
  /** The index of the array's current item. */
  readonly index: number;
  /** The members of the object so far, the last one first. */
  readonly keys: Keys | undefined;
  readonly parent: Container | undefined;
  readonly depth: number;
}

interface Keys {
  readonly key: string;
  readonly before: Keys | undefined;
}

/** What a piece of text leads to: a value, or the end of the whole object. */
export interface Reached {
  /** Where the piece ends. That of a value that is a string includes its quotation mark. */
  readonly end: number;
  /** What is open there; `undefined` at the end of the whole object. */
  readonly container: Container | undefined;
  /** The name of the field that the value is. */
  readonly name: string;
}

/** Where a piece of text begins. */
export interface PieceStart {
  readonly container: Container | undefined;
  /** Whether it begins with the quotation mark of the value before it. */
  readonly isAfterString: boolean;
  /** Whether it begins with the whole object. */
  readonly isStart: boolean;
}

/**
 * Reads what stands between two values of a JSON object, up to the next one that is neither an object nor an array.
 *
 * @returns `undefined` when it is not as `JSON.stringify` would write it, or means something else than it says: a
 * member that comes twice, names that JavaScript would put in another order, or those of the server's own fields.
 */
export function readPiece(text: string, start: number, piece: PieceStart): Reached | undefined {
  const reader = new PieceReader(text, start, piece.container);
  if (piece.isStart) return reader.value(undefined);
  if (piece.isAfterString) reader.skipQuote();
  return reader.afterValue();
}

class PieceReader {
  readonly #text: string;
  #at: number;
  #container: Container | undefined;
  #opened = 0;

  constructor(text: string, at: number, container: Container | undefined) {
    this.#text = text;
    this.#at = at;
    this.#container = container;
  }

  skipQuote(): void {
    this.#at++;
  }

  /** @param name of the field; `undefined` for the whole object. */
  value(name: string | undefined): Reached | undefined {
    const sign = this.#text[this.#at];
    if (sign === OPEN_OBJECT || sign === OPEN_ARRAY) return this.#open(sign === OPEN_ARRAY, name);
    if (name === undefined) return undefined;
    return { end: sign === QUOTE ? this.#at + 1 : this.#at, container: this.#container, name };
  }

  afterValue(): Reached | undefined {
    for (;;) {
      const container = this.#container;
      if (container === undefined) return { end: this.#at, container, name: '' };
      const sign = this.#text[this.#at++];
      if (sign === COMMA) return container.isArray ? this.#item(container.index + 1) : this.#member();
      if (sign !== (container.isArray ? CLOSE_ARRAY : CLOSE_OBJECT)) return undefined;
      this.#container = container.parent;
    }
  }

  #open(isArray: boolean, name: string | undefined): Reached | undefined {
    const parent = this.#container;
    const depth = (parent?.depth ?? 0) + 1;
    if (depth > MAX_DEPTH || ++this.#opened > MAX_OPENED || (isArray && name === undefined)) return undefined;
    this.#at++;
    const sign = this.#text[this.#at];
    if (sign === (isArray ? CLOSE_ARRAY : CLOSE_OBJECT)) {
      this.#at++;
      return this.afterValue();
    }
    this.#container = { isArray, name, index: 0, keys: undefined, parent, depth };
    return isArray ? this.#item(0) : this.#member();
  }

  #item(index: number): Reached | undefined {
    const container = this.#container!;
    this.#container = { ...container, index };
    return this.value(`${container.name}[${index}]`);
  }

  #member(): Reached | undefined {
    const container = this.#container!;
    const key = this.#key();
    if (key === undefined || this.#text[this.#at++] !== COLON || has(container.keys, key)) return undefined;
    const name = container.name === undefined ? key : `${container.name}.${key}`;
    if (!isOrdinary(key) || name.startsWith('#') || SYSTEM_FIELDS.has(name)) return undefined;
    this.#container = { ...container, keys: { key, before: container.keys } };
    return this.value(name);
  }

  #key(): string | undefined {
    const start = this.#at;
    if (this.#text[start] !== QUOTE) return undefined;
    const end = endOfString(this.#text, start + 1);
    if (end === UNUSUAL) return undefined;
    this.#at = end + 1;
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }
}

/** JavaScript orders names that are numbers before all others, and has a meaning of its own for `__proto__`. */
function isOrdinary(key: string): boolean {
  return key !== '__proto__' && !/^\d+$/.test(key);
}

function has(keys: Keys | undefined, key: string): boolean {
  for (let known = keys; known !== undefined; known = known.before) if (known.key === key) return true;
  return false;
}
