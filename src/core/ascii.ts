/** Codes of ASCII characters. Separate constants, so that the build inserts their values. */
export const TAB = 0x09;
export const NEWLINE = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const HASH = 0x23;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const DOT = 0x2e;
export const ZERO = 0x30;
export const EIGHT = 0x38;
export const NINE = 0x39;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const LOWER_E = 0x65;
export const LOWER_U = 0x75;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const DELETE = 0x7f;

/** Smaller codes must be escaped in strings. */
export const FIRST_PRINTABLE = 0x20;

/** Bit that makes an ASCII letter lower case. */
export const LOWER_CASE = 0x20;

export function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}
