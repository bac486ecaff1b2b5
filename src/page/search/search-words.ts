import { escapeRegex } from '../../core/escape-regex.ts';
import { parse, walk } from '../../language/index.ts';

const MIN_LENGTH = 2;

/** A pattern for the words that a query searches for, and another one; `undefined` if it has none or can't be parsed. */
export function searchWords(query: string, other?: string): RegExp | undefined {
  const words = new Set(other === undefined ? [] : [other]);
  try {
    walk(parse(query), {
      Not: () => false,
      Call: () => false,
      Pattern({ text, quoted }) {
        for (const word of quoted ? [text] : text.split('*')) if (word.length >= MIN_LENGTH) words.add(word);
      },
    });
  } catch {
    return undefined;
  }
  if (words.size === 0) return undefined;
  const escaped = [...words].map(escapeRegex);
  return new RegExp(escaped.join('|'), 'gi');
}
