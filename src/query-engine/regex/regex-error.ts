/** A regular expression that can't be used. */
export class RegexError extends Error {
  /** @param position where in the expression the trouble is, from 0. */
  constructor(problem: string, position?: number) {
    super(position === undefined ? problem : `${problem}, at character ${position + 1}`);
  }
}
