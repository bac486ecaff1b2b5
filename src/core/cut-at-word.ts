/** Longer tokens are found although their end is missing. */
const MAX_WORD_LENGTH = 512;

/** Digits of a card, which may be in groups. */
const DIGITS = /(?:\d[ -]?)+$/;

/** Cuts text before the word that would be split: a search for secrets can't find a part of a token. Marks the cut. */
export function cutAtWord(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const start = Math.max(0, maxLength - MAX_WORD_LENGTH);
  const tail = text.slice(start, maxLength);
  const words = /\S/.test(text[maxLength]!) ? tail.replace(/\S+$/, '') : tail;
  return `${text.slice(0, start)}${words.replace(DIGITS, '')}…`;
}
