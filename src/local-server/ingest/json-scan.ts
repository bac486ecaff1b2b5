/** The UTF-16 units of a text. Where all of them are ASCII, its bytes are the same numbers. */
export type CodeUnits = Uint8Array | Uint16Array;

/** What a scan gives when the text is no JSON, or JSON that `JSON.stringify` would write in another way. */
export const UNUSUAL = 0;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;

/**
 * Finds the quotation mark that ends a string.
 *
 * @param start of the first character.
 * @returns its index; where the string has escapes, the complement of that (`~index`); or {@link UNUSUAL}.
 */
export function scanString(codes: CodeUnits, start: number): number {
  let hasEscapes = false;
  let index = start;
  while (index < codes.length) {
    const code = codes[index]!;
    // Most characters: one comparison for each is what this costs.
    if (code > QUOTE && code !== BACKSLASH) index++;
    else if (code === QUOTE) return hasEscapes ? ~index : index;
    else if (code === BACKSLASH) {
      const length = escapeLength(codes, index);
      if (length === UNUSUAL) return UNUSUAL;
      hasEscapes = true;
      index += length;
    } else if (code >= FIRST_PRINTABLE) index++;
    else return UNUSUAL;
  }
  return UNUSUAL;
}

const SHORT_ESCAPES: ReadonlySet<number> = new Set([...'"\\bfnrt'].map((letter) => letter.charCodeAt(0)));
const LONG_ESCAPE_LENGTH = 6;

/** Few characters are escaped by their number: control characters that have no letter of their own. */
function escapeLength(codes: CodeUnits, start: number): number {
  if (SHORT_ESCAPES.has(codes[start + 1] ?? 0)) return 2;
  const escaped = String.fromCharCode(...codes.subarray(start, start + LONG_ESCAPE_LENGTH));
  return /^\\u00(?:0[0-7be-f]|1[\da-f])$/.test(escaped) ? LONG_ESCAPE_LENGTH : UNUSUAL;
}

/** The end of a number, of `true`, `false` or `null`; {@link UNUSUAL} when there is none of them at `start`. */
export function scanLiteral(codes: CodeUnits, start: number): number {
  switch (codes[start]) {
    case 0x74:
      return scanWord(codes, start, TRUE);
    case 0x66:
      return scanWord(codes, start, FALSE);
    case 0x6e:
      return scanWord(codes, start, NULL);
    default:
      return scanNumber(codes, start);
  }
}

const [TRUE, FALSE, NULL] = ['true', 'false', 'null'].map((word) => Buffer.from(word)) as [
  Buffer,
  Buffer,
  Buffer,
];

function scanWord(codes: CodeUnits, start: number, word: Buffer): number {
  for (let index = 0; index < word.length; index++) {
    if (codes[start + index] !== word[index]) return UNUSUAL;
  }
  return start + word.length;
}

const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;

function scanNumber(codes: CodeUnits, start: number): number {
  const first = codes[start] === MINUS ? start + 1 : start;
  let end = scanDigits(codes, first);
  if (end === first || (codes[first] === ZERO && end > first + 1)) return UNUSUAL;
  if (codes[end] === DOT) {
    const fraction = end + 1;
    end = scanDigits(codes, fraction);
    if (end === fraction) return UNUSUAL;
  }
  const letter = codes[end];
  return letter === 0x65 || letter === 0x45 ? scanExponent(codes, end + 1) : end;
}

function scanExponent(codes: CodeUnits, start: number): number {
  const sign = codes[start];
  const first = sign === PLUS || sign === MINUS ? start + 1 : start;
  const end = scanDigits(codes, first);
  return end === first ? UNUSUAL : end;
}

function scanDigits(codes: CodeUnits, start: number): number {
  let index = start;
  while (index < codes.length) {
    const code = codes[index]!;
    if (code < ZERO || code > 0x39) break;
    index++;
  }
  return index;
}
