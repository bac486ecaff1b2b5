import type { FieldName, PatternText } from './marked-text.ts';

/** A value that can be inserted into a query. */
export type FragmentValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | RegExp
  | FieldName
  | PatternText
  | typeof EMPTY_LIST;

/** An empty list. Omitting it would join the text before and after it. */
export const EMPTY_LIST = Symbol('an empty list');

/** A part of a query: literal text, a value, or the start or end of a nested fragment. */
export type FragmentPart =
  | { readonly kind: 'text'; readonly text: string; readonly isRaw?: boolean }
  | { readonly kind: 'value'; readonly value: FragmentValue; readonly isListed: boolean }
  | { readonly kind: 'edge'; readonly side: 'begin' | 'end'; readonly isRaw: boolean };

export function textPart(text: string): FragmentPart {
  return { kind: 'text', text };
}

/** What is nested stays in one piece: no string or comment of the query may reach across its edges. */
export function nested(parts: readonly FragmentPart[]): FragmentPart[] {
  const isRaw = parts.every((part) => part.kind === 'text' && part.isRaw === true);
  return [{ kind: 'edge', side: 'begin', isRaw }, ...parts, { kind: 'edge', side: 'end', isRaw }];
}
