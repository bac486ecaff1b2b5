import { RegexError } from './regex-error.ts';

/** Classes that JavaScript lacks, as the inside of a character class. */
const HORIZONTAL_SPACE = ' \\t\\xA0\\u1680\\u180E\\u2000-\\u200A\\u202F\\u205F\\u3000';

/** Sets by the names that POSIX has for them. */
export const POSIX: ReadonlyMap<string, string> = new Map(
  Object.entries({
    alnum: 'A-Za-z0-9',
    alpha: 'A-Za-z',
    ascii: '\\x00-\\x7F',
    blank: ' \\t',
    cntrl: '\\x00-\\x1F\\x7F',
    digit: '0-9',
    graph: '!-~',
    lower: 'a-z',
    print: ' -~',
    punct: '!-\\/:-@\\[-`{-~',
    space: '\\s',
    upper: 'A-Z',
    word: '\\w',
    xdigit: '0-9A-Fa-f',
  }),
);

/** What a part of a pattern stands for: a single character, or the source of a set of them. */
export type CharacterOrSet =
  | { readonly character: string; readonly end: number }
  | { readonly set: string; readonly end: number };

/** Reads an escape, the backslash at `start`. Outside a class the sets stand in brackets of their own. */
export function readEscape(body: string, start: number): CharacterOrSet {
  const letter = body[start + 1];
  if (letter === undefined) throw new RegexError('it ends in a backslash');
  const end = start + 2;
  if (/[dDsSwW]/.test(letter)) return { set: `\\${letter}`, end };
  if (letter === 'h') return { set: HORIZONTAL_SPACE, end };
  if (letter === 'p' || letter === 'P') return readProperty(body, start);
  const simple: Partial<Record<string, string>> = {
    t: '\t',
    n: '\n',
    r: '\r',
    f: '\f',
    v: '\v',
    a: '\x07',
    e: '\x1B',
  };
  const control = simple[letter];
  if (control !== undefined) return { character: control, end };
  const code = readCharacterCode(body, start);
  if (code !== undefined) return code;
  if (/[A-Za-z0-9]/.test(letter)) throw new RegexError(`\\${letter} is not supported`);
  return { character: letter, end };
}

/** `\xhh`, `\x{h…}`, `\uhhhh`, `\cK`, `\0n` */
function readCharacterCode(body: string, start: number): CharacterOrSet | undefined {
  const code = /\\(?:x([\dA-Fa-f]{2})|x\{([\dA-Fa-f]{1,6})\}|u([\dA-Fa-f]{4})|c([A-Za-z])|0([0-7]{0,3}))/y;
  code.lastIndex = start;
  const match = code.exec(body);
  if (match === null) return undefined;
  const [whole, hex, longHex, unicode, control, octal] = match;
  const end = start + whole.length;
  if (control !== undefined) return { character: String.fromCharCode(control.charCodeAt(0) % 32), end };
  if (octal !== undefined) return { character: String.fromCharCode(Number.parseInt(octal || '0', 8)), end };
  const codePoint = Number.parseInt(hex ?? longHex ?? unicode ?? '0', 16);
  if (codePoint > 0x10ffff) throw new RegexError(`${whole} is no character`);
  return { character: String.fromCodePoint(codePoint), end };
}

/** `\p{Lu}`, `\pL`, `\p{IsAlphabetic}`, `\p{Alpha}` */
function readProperty(body: string, start: number): CharacterOrSet {
  const property = /\\([pP])(?:\{\^?(\w+)\}|([A-Z]))/y;
  property.lastIndex = start;
  const match = property.exec(body);
  if (match === null) throw new RegexError('\\p must be followed by a property such as {Lu}');
  const [whole, letter, long = '', short] = match;
  const end = start + whole.length;
  const posix = POSIX.get(long.toLowerCase());
  if (posix !== undefined && letter === 'p') return { set: posix, end };
  const name = short ?? long.replace(/^Is/, '');
  return { set: `\\${letter}{${name}}`, end };
}

/** Writes one character so that it means itself, inside a class and outside. */
export function quoteCharacter(character: string, insideClass: boolean): string {
  if (insideClass ? /[\\\]^[-]/.test(character) : /[\^$\\.*+?()[\]{}|/]/.test(character))
    return `\\${character}`;
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  return character;
}

/** The same letter in the other case, if it has one of its own. */
export function otherCase(character: string): string | undefined {
  const lower = character.toLowerCase();
  const other = lower === character ? character.toUpperCase() : lower;
  return other !== character && other.length === character.length ? other : undefined;
}
