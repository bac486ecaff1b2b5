/** Longer tokens are found although their end is missing. */
const MAX_WORD_LENGTH = 512;

/** Digits of a card, which may be in groups. */
const DIGITS = /(?:\d[ -]?)+$/;

/** Cuts text before the word that would be split: a search for secrets can't find a part of a token. Marks the cut. */
export function cutAtWord(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const start = Math.max(0, maxLength - MAX_WORD_LENGTH);
  let end = maxLength;
  if (/\S/.test(text[end]!)) while (end > start && /\S/.test(text[end - 1]!)) end--;
  return `${text.slice(0, start)}${text.slice(start, end).replace(DIGITS, '')}…`;
}
