/** What events have in common that differ in nothing but the values of their fields. */
export class EventShape {
  /** The names of the fields in the order of their values. */
  readonly names: readonly string[];
  /** Whether the value of a field is written as a string, not as a number, `true`, `false` or `null`. */
  readonly isString: readonly boolean[];
  /** How many characters stand between the end of each value and the next value, or the end of the attributes. */
  readonly gaps: readonly number[];
  /** The length of all names. */
  readonly nameLength: number;
  readonly #places: ReadonlyMap<string, number>;

  constructor(names: readonly string[], isString: readonly boolean[], gaps: readonly number[]) {
    this.names = names;
    this.isString = isString;
    this.gaps = gaps;
    this.nameLength = names.reduce((sum, name) => sum + name.length, 0);
    this.#places = new Map(names.map((name, place) => [name, place]));
  }

  /** Which value is that of a field; `undefined` when events of this shape don't have it. */
  placeOf(name: string): number | undefined {
    return this.#places.get(name);
  }
}
