/** A literal. */
export type FragmentValue = string | number | bigint | boolean | Date | RegExp;

/** A value that can be inserted into a query: a literal, the name of a field, or a string in which `*` is a wildcard. */
export type ValuePart =
  | { readonly kind: 'literal'; readonly value: FragmentValue }
  | { readonly kind: 'field'; readonly text: string }
  | { readonly kind: 'pattern'; readonly text: string };

/** A part of a query: text, a value, a list of parts for `[…]`, or a nested fragment. Raw text never gets parentheses. */
export type FragmentPart =
  | { readonly kind: 'text'; readonly text: string; readonly isRaw?: boolean }
  | ValuePart
  | { readonly kind: 'list'; readonly items: readonly FragmentPart[] }
  | { readonly kind: 'fragment'; readonly parts: readonly FragmentPart[] };

export function textPart(text: string): FragmentPart {
  return { kind: 'text', text };
}
