export type TextMatcher = (text: string) => boolean;

export interface GlobOptions {
  /** Whether the whole text must match instead of a part of it. */
  readonly anchored: boolean;
  /** @default false */
  readonly ignoreCase?: boolean;
}

/**
 * Compiles a pattern in which `*` matches any text, including the empty string. Stars can't be escaped.
 *
 * Searches for the pieces between stars from left to right, each at the earliest position, in linear time.
 */
export function compileGlob(pattern: string, { anchored, ignoreCase = false }: GlobOptions): TextMatcher {
  const whole = anchored ? pattern : `*${pattern}*`;
  if (!ignoreCase) return compilePieces(whole.split(/\*+/));
  const matches = compilePieces(whole.toLowerCase().split(/\*+/));
  return (text) => matches(text.toLowerCase());
}

/** A pattern with the longest string that all matches contain. */
export function globSearch(
  pattern: string,
  options: GlobOptions,
): { readonly test: TextMatcher; readonly literal: string } {
  const pieces = options.ignoreCase === true ? [] : pattern.split('*');
  return { test: compileGlob(pattern, options), literal: longestOf(pieces) };
}

/** Whether a pattern is only stars and matches every text. */
export function matchesEverything(pattern: string): boolean {
  return /^\*+$/.test(pattern);
}

/** Empty if there is none. */
export function longestOf(texts: readonly string[]): string {
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '');
}

/** `['', 'b', '']` is `*b*`. */
function compilePieces([prefix = '', ...others]: readonly string[]): TextMatcher {
  const suffix = others.pop();
  if (suffix === undefined) return (text) => text === prefix;
  return (text) => matchesInOrder(text, prefix, others, suffix);
}

function matchesInOrder(text: string, prefix: string, inner: readonly string[], suffix: string): boolean {
  if (!text.startsWith(prefix)) return false;
  let position = prefix.length;
  for (const piece of inner) {
    const start = text.indexOf(piece, position);
    if (start === -1) return false;
    position = start + piece.length;
  }
  return text.length - suffix.length >= position && text.endsWith(suffix);
}
