const MASK = '[token]';

/** At a cut, this many characters of a token count as the token. */
const MIN_PREFIX = 8;

/** What follows a value that was cut, or may have been cut by a query. */
const CUT = /[…\t\n]|$/y;

/**
 * Replaces tokens, in any case. A value that is cut within a token ends with a prefix of it, which is replaced, too. The
 * result is never longer.
 */
export function maskTokens(text: string, tokens: Iterable<string>): string {
  // Longest first, because a token can be part of another.
  const sorted = [...tokens].sort((one, other) => other.length - one.length);
  return sorted.reduce((rest, token) => rest.replace(patternOf(token), maskerOf(token)), text);
}

/** Matches the longest prefix of a token. */
function patternOf(token: string): RegExp {
  const [start, end] = [token.slice(0, MIN_PREFIX), token.slice(MIN_PREFIX)];
  const rest = [...end].reduceRight((after, character) => `(?:${escaped(character)}${after})?`, '');
  return new RegExp(escaped(start) + rest, 'gi');
}

function maskerOf(token: string): (match: string, offset: number, text: string) => string {
  return (match, offset, text) => {
    CUT.lastIndex = offset + match.length;
    return match.length === token.length || CUT.test(text) ? MASK : match;
  };
}

function escaped(text: string): string {
  return text.replace(/\W/g, '\\$&');
}
