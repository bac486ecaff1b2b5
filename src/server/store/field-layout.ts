/** What events share that differ only in their values. */
export class FieldLayout {
  /** Field names in the order of their values. */
  readonly names: readonly string[];
  /** Whether a value is a string, not a number, `true`, `false` or `null`. */
  readonly isString: readonly boolean[];
  /** The text before each value and after the last one, including the quotes of strings. */
  readonly pieces: readonly string[];
  /** Whether the values are those of an object, not of a line of text. */
  readonly isJson: boolean;
  /** Regular expressions of the values by name, if they are columns of text. */
  readonly columns: Readonly<Record<string, string>> | undefined;
  readonly nameLength: number;
  /** The length of all pieces without escapes. */
  readonly pieceLength: number;
  readonly #places: ReadonlyMap<string, number>;

  /** The place of a level that has a label if it is a number, and what this depends on. */
  readonly labeled: { readonly level: number; readonly time?: number | undefined; readonly hasMsg: boolean };

  constructor(
    { names, isString, pieces }: Pick<FieldLayout, 'names' | 'isString' | 'pieces'>,
    isOfLines = false,
    columns?: FieldLayout['columns'],
  ) {
    this.names = names;
    this.isString = isString;
    this.pieces = pieces;
    this.columns = columns;
    this.isJson = pieces[0]!.startsWith('{');
    this.nameLength = names.reduce((sum, name) => sum + name.length, 0);
    this.pieceLength = pieces.reduce((sum, piece) => sum + unescapedLength(piece), 0);
    this.#places = new Map(names.map((name, place) => [name, place]));
    const level = (isOfLines ? this.placeOf('level') : undefined) ?? -1;
    this.labeled = { level, time: this.placeOf('time'), hasMsg: this.placeOf('msg') !== undefined };
  }

  /** The index of a field's value; `undefined` if events with this layout don't have it. */
  placeOf(name: string): number | undefined {
    return this.#places.get(name);
  }
}

/** The layout of lines that are no object with a layout. Such a line is parsed when a value of it is read. */
export const NO_LAYOUT = new FieldLayout({ names: [], isString: [], pieces: [''] });

/** The layout of lines whose only field, a level, is one of their defaults. */
export const PLAIN_LAYOUT = new FieldLayout({ names: [], isString: [], pieces: [''] });

/** The length of a part of a JSON text without escapes. */
export function unescapedLength(text: string): number {
  return text.replace(/\\(?:u.{4}|.)/g, '.').length;
}
