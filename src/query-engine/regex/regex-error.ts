import { PatternError } from '../signature/pattern-error.ts';

/** An invalid or unsupported regular expression. */
export class RegexError extends PatternError {
  /** @param position index of the problem in the expression. */
  constructor(problem: string, position?: number) {
    super(position === undefined ? problem : `${problem}, at character ${position + 1}`);
  }
}

export interface RegexEngine {
  test(text: string): boolean;
  /** The first match at or after `from`. */
  exec(text: string, from: number): RegExpExecArray | null;
}
