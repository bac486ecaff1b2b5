/** An invalid or unsupported regular expression. */
export class RegexError extends Error {
  /** @param position index of the problem in the expression. */
  constructor(problem: string, position?: number) {
    super(position === undefined ? problem : `${problem}, at character ${position + 1}`);
  }
}
