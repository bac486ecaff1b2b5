export const MONTH_NAMES = [
  ['January', 'Jan'],
  ['February', 'Feb'],
  ['March', 'Mar'],
  ['April', 'Apr'],
  ['May'],
  ['June', 'Jun'],
  ['July', 'Jul'],
  ['August', 'Aug'],
  ['September', 'Sept', 'Sep'],
  ['October', 'Oct'],
  ['November', 'Nov'],
  ['December', 'Dec'],
] as const;

/** Monday comes first, as in ISO 8601. */
export const WEEKDAY_NAMES = [
  ['Monday', 'Mon'],
  ['Tuesday', 'Tues', 'Tue'],
  ['Wednesday', 'Wed'],
  ['Thursday', 'Thurs', 'Thur', 'Thu'],
  ['Friday', 'Fri'],
  ['Saturday', 'Sat'],
  ['Sunday', 'Sun'],
] as const;

/** Finds the names of things in a text, the longest first. */
export class EnglishNames {
  readonly #names: readonly { readonly name: string; readonly index: number }[];

  /** @param names for each thing its names, the longest first. */
  constructor(names: readonly (readonly string[])[]) {
    this.#names = names.flatMap((spellings, index) => spellings.map((name) => ({ name, index })));
  }

  /** The thing whose name begins at a position, and where the name ends. */
  findAt(text: string, position: number, ignoreCase: boolean) {
    for (const { name, index } of this.#names) {
      const end = position + name.length;
      const found = text.slice(position, end);
      if (found === name || (ignoreCase && found.toLowerCase() === name.toLowerCase())) return { index, end };
    }
    return undefined;
  }
}
