import { escapeRegex } from '../../core/escape-regex.ts';
import { tryOr } from '../../core/try-or.ts';
import { groupKeys, walk } from '../../language/index.ts';
import { parseTree } from '../../language/syntax-tree.ts';

const MIN_LENGTH = 2;

/** A pattern for the words that a query searches for, and another one; `undefined` if it has none or can't be parsed. */
export function searchWords(query: string, other?: string): RegExp | undefined {
  const words = new Set(other === undefined ? [] : [other]);
  try {
    walk(parseTree(query), {
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

/** The fields by which the last `groupBy()` or `top()` groups; none if the query can't be parsed. */
export function groupFields(query: string): readonly string[] {
  const steps = tryOr([], () => parseTree(query).steps);
  return steps.map(groupKeys).findLast((keys) => keys.length > 0) ?? [];
}
