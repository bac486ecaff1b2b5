import { escapeRegex } from '../../core/escape-regex.ts';
import { tryOr } from '../../core/try-or.ts';
import { groupKeys, type QueryNode, walk } from '../../language/index.ts';
import { parseTree } from '../../language/syntax-tree.ts';

const MIN_LENGTH = 2;

/**
 * Returns a pattern for what a query finds in a field: words of free text, those of conditions on the field, and another
 * one; `undefined` if there is none or the query can't be parsed.
 */
export function searchWords(query: string, other?: string): (field: string) => RegExp | undefined {
  const words: { readonly word: string; readonly only?: string }[] =
    other === undefined ? [] : [{ word: other }];
  const add = (value: QueryNode, only?: string): false => {
    if (value.kind !== 'Pattern') return false;
    for (const word of value.quoted ? [value.text] : value.text.split('*'))
      if (word.length >= MIN_LENGTH) words.push({ word, only });
    return false;
  };
  try {
    walk(parseTree(query), {
      Not: () => false,
      Call: () => false,
      Comparison: ({ field, operator, value }) => operator !== '!=' && add(value, field.name),
      FreeText: ({ value }) => add(value),
    });
  } catch {
    return () => undefined;
  }
  return (field) => {
    const own = words.filter(({ only = field }) => only === field).map(({ word }) => escapeRegex(word));
    return own.length === 0 ? undefined : new RegExp(own.join('|'), 'gi');
  };
}

/** The fields by which the last `groupBy()` or `top()` groups; none if the query can't be parsed. */
export function groupFields(query: string): readonly string[] {
  const steps = tryOr([], () => parseTree(query).steps);
  return steps.map(groupKeys).findLast((keys) => keys.length > 0) ?? [];
}
