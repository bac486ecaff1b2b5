import { Lexer } from './lexer.ts';
import { QuerySyntaxError } from './syntax-error.ts';
import { tokensOf } from './syntax-tree.ts';
import type { Token } from './token.ts';

/** The tokens of any text, without comments except an unclosed one. After the first syntax error, each token is read as part of a filter. */
export function tolerantTokens(source: string, known = tokensOf(source)): readonly Token[] {
  const tokens = [...known];
  const lexer = new Lexer(source);
  for (let offset = tokens.at(-1)?.end ?? 0; offset < source.length; ) {
    const token = readToken(lexer, offset);
    if (token.kind === 'end') break;
    tokens.push(token);
    offset = token.end;
  }
  return tokens;
}

/**
 * The tokens of any text, with all comments.
 *
 * @param known those up to the first error, without comments
 */
export function tokensWithComments(source: string, known?: readonly Token[]): readonly Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const token of tolerantTokens(source, known)) {
    tokens.push(...commentsIn(source, end, token.start), token);
    end = token.end;
  }
  return [...tokens, ...commentsIn(source, end, source.length)];
}

const COMMENT = /\/\/[^\n\r]*|\/\*[\s\S]*?\*\//g;

function commentsIn(source: string, from: number, to: number): readonly Token[] {
  const between = source.slice(from, to);
  if (!between.includes('/')) return [];
  return [...between.matchAll(COMMENT)].map(({ 0: text, index }) => {
    const start = from + index;
    return { kind: 'comment', start, end: start + text.length, text, value: text };
  });
}

const TRIVIA = /(?:[\s\u0085]|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)*/y;

/** The next token, or the rest of the line for an unclosed string, regular expression or comment. */
function readToken(lexer: Lexer, offset: number): Token {
  try {
    return lexer.read('filter', offset);
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error;
    // The error can be about the flags of a regular expression.
    TRIVIA.lastIndex = offset;
    TRIVIA.test(lexer.source);
    const start = TRIVIA.lastIndex;
    const rest = lexer.source.slice(start);
    const text = rest.startsWith('/*') ? rest : (/^.[^\n\r]*/s.exec(rest)?.[0] ?? rest);
    const kind = text.startsWith('"') ? 'string' : text.startsWith('/*') ? 'comment' : 'regex';
    return { kind, start, end: start + text.length, text, value: text };
  }
}
