import { REGEX_WARNINGS, type RegexWarning } from './mistakes/regexes.ts';

/** A quotation, an escape, a class (and a bracket behind it), the start of a group, a quantifier or a character. */
const TOKEN =
  /\\Q.*?(?:\\E|$)|\\[pP]\{[^}]*\}|\\b\{g\}|\\x\{[^}]*\}|\\k<|\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]{1,2}|\(\?(?:<[=!]|>)|\^(?:[*+?]|\{\d+(?:,\d*)?\})|(?:[*+?]|\{\d+(?:,\d*)?\})[+?]?|./gsu;

/** Finds the parts of a valid regular expression that the service rejects or doesn't support, each kind once. */
export function regexWarnings(body: string): readonly RegexWarning[] {
  const tokens = body.match(TOKEN) ?? [];
  return REGEX_WARNINGS.filter(({ pattern }) => tokens.some((token) => pattern.test(token)));
}
