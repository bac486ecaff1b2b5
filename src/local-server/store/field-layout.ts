/** What events have in common that differ in nothing but the values of their fields. */
export class FieldLayout {
  /** The names of the fields in the order of their values. */
  readonly names: readonly string[];
  /** Whether the value of a field is written as a string, not as a number, `true`, `false` or `null`. */
  readonly isString: readonly boolean[];
  /** What is written before each value, and after the last one; the quotation marks of strings belong to it. */
  readonly pieces: readonly string[];
  readonly nameLength: number;
  /** The length of all pieces, their escapes undone. */
  readonly pieceLength: number;
  readonly #places: ReadonlyMap<string, number>;

  constructor(names: readonly string[], isString: readonly boolean[], pieces: readonly string[]) {
    this.names = names;
    this.isString = isString;
    this.pieces = pieces;
    this.nameLength = names.reduce((sum, name) => sum + name.length, 0);
    this.pieceLength = pieces.reduce((sum, piece) => sum + unescapedLength(piece), 0);
    this.#places = new Map(names.map((name, place) => [name, place]));
  }

  /** Which value is that of a field; `undefined` when events of this shape don't have it. */
  placeOf(name: string): number | undefined {
    return this.#places.get(name);
  }
}

/** The length of a part of a JSON text without its escapes. */
export function unescapedLength(text: string): number {
  return text.replace(/\\(?:u.{4}|.)/g, '.').length;
}
