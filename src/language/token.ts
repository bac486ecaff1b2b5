/** Operators of filters and steps, longest first if one is a prefix of another. */
export const OPERATORS = ['<=>', ':=', '=>', '=~', '==', '!=', '<=', '>=', '=', '!', '<', '>'] as const;

/** Punctuation, also longest first. */
export const PUNCTUATORS = [...OPERATORS, '(', ')', '{', '}', '[', ']', '|', ';', ',', '?', '$'] as const;

export const ARITHMETIC_OPERATORS = ['+', '-', '*', '/', '%'] as const;

/** Punctuation that exists only in expressions: in filters, these characters belong to patterns. */
export const ARITHMETIC_PUNCTUATORS = [...ARITHMETIC_OPERATORS, ':'] as const;

export type Punctuator = (typeof PUNCTUATORS)[number] | (typeof ARITHMETIC_PUNCTUATORS)[number];

/** `character` is a character that starts no token; the parser rejects it. The parser skips each `comment`. */
export type TokenKind = Punctuator | 'word' | 'string' | 'regex' | 'comment' | 'character' | 'end';

export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** As written, quotes and slashes included. */
  readonly text: string;
  /** The content of a string, escapes resolved; the body of a regex; else the same as `text`. */
  readonly value: string;
  /** The flags of a regex. */
  readonly flags?: string;
}

/** A token for an error message. */
export function describeToken(token: Token): string {
  switch (token.kind) {
    case 'end':
      return 'the end of the query';
    case 'string':
      return `the string ${shorten(token.text)}`;
    case 'regex':
      return `the regex ${shorten(token.text)}`;
    case 'character':
      return describeCharacter(token.text);
    default:
      return `"${shorten(token.text)}"`;
  }
}

function describeCharacter(character: string): string {
  if (/[\s\u0085]/.test(character)) return 'whitespace';
  if (/[^\p{C}\p{Z}]/u.test(character)) return `"${character}"`;
  return `the character U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

function shorten(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}
