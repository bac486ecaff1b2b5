import { RegexError } from '../language/regex/regex-error.ts';

/** A format that can't be used. The message says why. */
export class PatternError extends Error {}

/** Returns what `compile` does; its {@link PatternError} or {@link RegexError} becomes the error of `fail`. */
export function compilePattern<T>(what: string, fail: (problem: string) => never, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (error instanceof PatternError || error instanceof RegexError)
      return fail(`Invalid ${what}: ${error.message}`);
    throw error;
  }
}
