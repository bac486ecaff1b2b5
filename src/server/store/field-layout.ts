/** What events share that differ only in their values. */
export class FieldLayout {
  /** Field names in the order of their values. */
  readonly names: readonly string[];
  /** Whether a value is a string, not a number, `true`, `false` or `null`. */
  readonly isString: readonly boolean[];
  /** The text before each value and after the last one, including the quotes of strings. */
  readonly pieces: readonly string[];
  readonly nameLength: number;
  /** The length of all pieces without escapes. */
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

  /** The index of a field's value; `undefined` if events with this layout don't have it. */
  placeOf(name: string): number | undefined {
    return this.#places.get(name);
  }
}

/** The length of a part of a JSON text without escapes. */
export function unescapedLength(text: string): number {
  return text.replace(/\\(?:u.{4}|.)/g, '.').length;
}
