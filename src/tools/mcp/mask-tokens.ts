import { escapeRegex } from '../../core/escape-regex.ts';

const MASK = '[token]';

/** This many characters of a token count as the token. */
const MIN_PART = 8;

/** At the start of a token, before the mark of a cut. */
const MIN_MARKED_PREFIX = 4;

/** What precedes or follows a value that was cut, or may have been cut by a query. */
const CUT = /^[…\t\n]?$/;

/** What is masked: a token, or what it becomes in another encoding. */
interface Secret {
  readonly text: string;
  /** Whether every part of it is masked. Parts of a token of words are words. */
  readonly isRandom: boolean;
}

/**
 * Replaces tokens, in any case, percent-encoded, and in base64, such as in the `Basic` credentials of shippers. A value that
 * is cut within a token ends or starts with a part of it, which is replaced, too. The result is never longer.
 */
export function maskTokens(text: string, tokens: Iterable<string>): string {
  // Longest first, because a token can be part of another.
  const sorted = [...tokens].sort((one, other) => other.length - one.length);
  return sorted.reduce(
    (rest, token) => secretsOf(token).reduce(maskSecret, rest).replace(shortPrefixOf(token), ''),
    text,
  );
}

function secretsOf(token: string): Secret[] {
  const encoded = [0, 1, 2].flatMap((before) => {
    const base64 = Buffer.from('\0'.repeat(before) + token).toString('base64');
    // The first and the last characters also depend on what is around the token.
    const own = base64.slice(before === 0 ? 0 : before + 1).replace(/(?:[^=]=+)?$/, '');
    return [...new Set([own, own.replaceAll('+', '-').replaceAll('/', '_')])];
  });
  const parts = encoded.filter(({ length }) => length >= MIN_PART);
  return [
    { text: token, isRandom: looksRandom(token) },
    ...parts.map((part) => ({ text: part, isRandom: true })),
  ];
}

/** In a random token, letters and digits alternate. */
function looksRandom(token: string): boolean {
  const kinds = token.replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A').replaceAll(/\d/g, '0');
  const changes = [...kinds].filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length;
  return token.length >= 2 * MIN_PART && /\d/.test(token) && changes >= token.length / 4;
}

function maskSecret(text: string, { text: secret, isRandom }: Secret): string {
  const size = Math.min(MIN_PART, secret.length);
  const lower = secret.toLowerCase();
  const units = unitsOf(text);
  const characters = units.map(({ character }) => character).join('');
  let masked = '';
  let copied = 0;
  for (let at = 0; at + size <= units.length; at++) {
    const from = lower.indexOf(characters.slice(at, at + size));
    if (from === -1) continue;
    let length = size;
    while (from + length < lower.length && characters[at + length] === lower[from + length]) length++;
    const [before, after] = [characters[at - 1] ?? '', characters[at + length] ?? ''];
    const isStart = from === 0 && CUT.test(after);
    const isEnd = from + length === lower.length && CUT.test(before);
    if (length < lower.length && !isRandom && !isStart && !isEnd) continue;
    masked += text.slice(copied, units[at]!.start) + MASK;
    copied = units[at + length - 1]!.end;
    at += length - 1;
  }
  return masked + text.slice(copied);
}

/** The characters of a string, which may be percent-encoded. */
function unitsOf(text: string) {
  return Array.from(text.matchAll(/%([2-7][0-9a-f])|./gis), ({ 0: whole, 1: code, index }) => {
    const character = code === undefined ? whole : String.fromCharCode(Number.parseInt(code, 16));
    // Tokens are ASCII, and some other characters become two in lower case.
    return {
      character: /[A-Z]/.test(character) ? character.toLowerCase() : character,
      start: index,
      end: index + whole.length,
    };
  });
}

/** Matches a short prefix of a token before the mark of a cut. */
function shortPrefixOf(token: string): RegExp {
  const lengths = Array.from({ length: MIN_PART - MIN_MARKED_PREFIX }, (_, index) => MIN_PART - 1 - index);
  const prefixes = lengths.map((length) => escapeRegex(token.slice(0, length)));
  return new RegExp(`(?:${prefixes.join('|')})(?=…)`, 'gi');
}
