import { PatternError } from '../signature/pattern-error.ts';
/** A part of a pattern: letters such as `yyyy`, literal text, or `[…]`. */
export type Token =
  | { readonly kind: 'field'; readonly letter: string; readonly count: number }
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'optional'; readonly tokens: readonly Token[] };

const MAX_DEPTH = 20;
const TOKEN = /'((?:[^']|'')*)'|([A-Za-z])\2*|([[\]])|[^A-Za-z[\]'{}#]+/y;

/** @throws PatternError */
export function readTokens(pattern: string): readonly Token[] {
  let tokens: Token[] = [];
  const outside: Token[][] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < pattern.length) {
    const at = TOKEN.lastIndex;
    const [whole, quoted, letter, bracket] = TOKEN.exec(pattern) ?? [];
    if (whole === undefined) {
      throw new PatternError(`${JSON.stringify(pattern.slice(at, at + 10))} can't be read`);
    }
    if (bracket === '[') {
      if (outside.length === MAX_DEPTH) throw new PatternError('brackets are nested too deeply');
      outside.push(tokens);
      tokens = [];
    } else if (bracket === ']') {
      const before = outside.pop();
      if (before === undefined) throw new PatternError('a ] has no matching [');
      before.push({ kind: 'optional', tokens });
      tokens = before;
    } else if (letter !== undefined) tokens.push({ kind: 'field', letter, count: whole.length });
    else tokens.push({ kind: 'literal', text: literalText(whole, quoted) });
  }
  if (outside.length > 0) throw new PatternError('a [ has no matching ]');
  return tokens;
}

function literalText(whole: string, quoted: string | undefined): string {
  if (quoted === undefined) return whole;
  return quoted === '' ? "'" : quoted.replaceAll("''", "'");
}
