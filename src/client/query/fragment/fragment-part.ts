import type { FieldName, PatternText } from './marked-text.ts';

/** A value that can be inserted into a query. */
export type FragmentValue = string | number | bigint | boolean | Date | RegExp | FieldName | PatternText;

/**
 * A part of a query: text, a value, a list of parts for `[…]`, or a nested fragment. Raw text never gets parentheses.
 */
export type FragmentPart =
  | { readonly kind: 'text'; readonly text: string; readonly isRaw?: boolean }
  | { readonly kind: 'value'; readonly value: FragmentValue }
  | { readonly kind: 'list'; readonly items: readonly FragmentPart[] }
  | { readonly kind: 'fragment'; readonly parts: readonly FragmentPart[] };

export function textPart(text: string): FragmentPart {
  return { kind: 'text', text };
}
