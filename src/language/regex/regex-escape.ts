import { tryOr } from '../../core/try-or.ts';
import {
  type CharacterSet,
  charactersOf,
  complement,
  ignoringCase,
  LINE_BREAKS,
  propertySet,
  setOf,
  singleCharacter,
  union,
} from './character-set.ts';
import { RegexError } from './regex-error.ts';

const DIGITS = setOf([48, 57]);
const WORD = setOf([48, 57], [65, 90], [95, 95], [97, 122]);
const SPACE = charactersOf(' \t\n\v\f\r');
const HORIZONTAL_SPACE = union([
  charactersOf('\t \u00a0\u1680\u180e\u202f\u205f\u3000'),
  setOf([0x2000, 0x200a]),
]);

/** Sets by letter; the same letter in upper case is the complement. */
const SETS: ReadonlyMap<string, CharacterSet> = new Map(
  Object.entries({ d: DIGITS, w: WORD, s: SPACE, h: HORIZONTAL_SPACE }).flatMap(([letter, set]) => [
    [letter, set],
    [letter.toUpperCase(), complement(set)],
  ]),
);

const CONTROLS: ReadonlyMap<string, string> = new Map(
  Object.entries({ t: '\t', n: '\n', r: '\r', f: '\f', v: '\v', a: '\x07', e: '\x1B' }),
);

/** Sets by POSIX name. */
export const POSIX: ReadonlyMap<string, CharacterSet> = new Map(
  Object.entries({
    alnum: setOf([48, 57], [65, 90], [97, 122]),
    alpha: setOf([65, 90], [97, 122]),
    ascii: setOf([0, 127]),
    blank: charactersOf(' \t'),
    cntrl: setOf([0, 31], [127, 127]),
    digit: DIGITS,
    graph: setOf([33, 126]),
    lower: setOf([97, 122]),
    print: setOf([32, 126]),
    punct: setOf([33, 47], [58, 64], [91, 96], [123, 126]),
    space: SPACE,
    upper: setOf([65, 90]),
    word: WORD,
    xdigit: setOf([48, 57], [65, 70], [97, 102]),
  }),
);

/** The characters of a part of an expression, and the index after it. */
export interface ReadCharacters {
  readonly set: CharacterSet;
  readonly end: number;
}

/** Parses the escape of a character or a set, whose backslash is at `start`. */
export function readEscape(body: string, start: number): ReadCharacters {
  const letter = String.fromCodePoint(body.codePointAt(start + 1) ?? 0);
  if (start + 1 >= body.length) throw new RegexError('it ends with a backslash', start);
  const end = start + 1 + letter.length;
  const set = SETS.get(letter);
  if (set !== undefined) return { set, end };
  if (letter === 'N') return { set: complement(LINE_BREAKS), end };
  if (letter === 'p' || letter === 'P') return readProperty(body, start);
  const control = CONTROLS.get(letter);
  if (control !== undefined) return { set: charactersOf(control), end };
  const code = readCharacterCode(body, start);
  if (code !== undefined) return code;
  if (/[A-Za-z0-9]/.test(letter)) throw new RegexError(`\\${letter} is not supported`, start);
  return { set: charactersOf(letter), end };
}

/** `\xhh`, `\x{h…}`, `\uhhhh`, `\cK`, `\0n` */
function readCharacterCode(body: string, start: number): ReadCharacters | undefined {
  const code = /\\(?:x([\dA-Fa-f]{2})|x\{([\dA-Fa-f]{1,6})\}|u([\dA-Fa-f]{4})|c([A-Za-z])|0([0-7]{0,3}))/y;
  code.lastIndex = start;
  const match = code.exec(body);
  if (match === null) return undefined;
  const [whole, hex, longHex, unicode, control, octal] = match;
  const end = start + whole.length;
  const codePoint =
    control !== undefined
      ? control.charCodeAt(0) % 32
      : octal !== undefined
        ? Number.parseInt(octal || '0', 8)
        : Number.parseInt(hex ?? longHex ?? unicode ?? '0', 16);
  if (codePoint > 0x10ffff) throw new RegexError(`${whole} is not a character`, start);
  return { set: setOf([codePoint, codePoint]), end };
}

/** `\p{Lu}`, `\pL`, `\p{^Lu}`, `\p{IsAlphabetic}`, `\p{Greek}`, `\p{Alpha}` */
function readProperty(body: string, start: number): ReadCharacters {
  const property = /\\([pP])(?:\{(\^?)(\w+(?:=\w+)?)\}|([A-Z]))/y;
  property.lastIndex = start;
  const match = property.exec(body);
  if (match === null) throw new RegexError('\\p must be followed by a property such as {Lu}', start);
  const [whole, letter, caret = '', long = '', short] = match;
  const isNegated = (letter === 'P') !== (caret !== '');
  const end = start + whole.length;
  const posix = POSIX.get(long.toLowerCase());
  if (posix !== undefined) return { set: isNegated ? complement(posix) : posix, end };
  const name = knownProperty(short ?? long.replace(/^(?:Is|In)(?=[A-Z])/, ''));
  if (name === undefined) throw new RegexError(`invalid property name in ${whole}`, start);
  return { set: propertySet(`${isNegated ? 'P' : 'p'}{${name}}`), end };
}

/** The name of a property in JavaScript. */
function knownProperty(name: string): string | undefined {
  return [name, `Script=${name}`].find((spelling) =>
    tryOr(undefined, () => new RegExp(`\\p{${spelling}}`, 'u')),
  );
}

/**
 * Parses a character class, whose `[` is at `start`.
 *
 * @throws RegexError
 */
export function readClass(body: string, start: number, ignoreCase: boolean): ReadCharacters {
  const isNegated = body[start + 1] === '^';
  let position = start + (isNegated ? 2 : 1);
  const members: CharacterSet[] = [];
  for (let isFirst = true; isFirst || body[position] !== ']'; isFirst = false) {
    if (position >= body.length) throw new RegexError('a [ is not closed', start);
    const { set, end } = readRange(body, position);
    members.push(set);
    position = end;
  }
  const all = union(members);
  const cased = ignoreCase ? ignoringCase(all) : all;
  return { set: isNegated ? complement(cased) : cased, end: position + 1 };
}

/** A character or a range. */
function readRange(body: string, start: number): ReadCharacters {
  const first = readMember(body, start);
  const from = singleCharacter(first.set);
  const isRange = from !== undefined && /^-[^\]]/su.test(body.slice(first.end, first.end + 2));
  if (!isRange) return first;
  const second = readMember(body, first.end + 1);
  const to = singleCharacter(second.set);
  if (to === undefined) return { set: union([first.set, charactersOf('-'), second.set]), end: second.end };
  if (to < from) throw new RegexError('a range is out of order', start);
  return { set: setOf([from, to]), end: second.end };
}

function readMember(body: string, start: number): ReadCharacters {
  if (body[start] === '\\') return readEscapeInClass(body, start);
  const posix = readPosixClass(body, start);
  if (posix !== undefined) return posix;
  const character = String.fromCodePoint(body.codePointAt(start) ?? 0);
  return { set: charactersOf(character), end: start + character.length };
}

function readEscapeInClass(body: string, start: number): ReadCharacters {
  if (body[start + 1] === 'b') return { set: charactersOf('\b'), end: start + 2 };
  if (body[start + 1] !== 'Q') return readEscape(body, start);
  const close = body.indexOf('\\E', start + 2);
  if (close === -1) throw new RegexError('a \\Q is not closed', start);
  return { set: charactersOf(body.slice(start + 2, close)), end: close + 2 };
}

/** `[:alpha:]` and `[:^alpha:]` within a class; `undefined` if there is none at `start`. */
function readPosixClass(body: string, start: number): ReadCharacters | undefined {
  const posix = /\[:(\^?)(\w+):\]/y;
  posix.lastIndex = start;
  const match = posix.exec(body);
  if (match === null) return undefined;
  const [whole, negation, name = ''] = match;
  const set = POSIX.get(name);
  if (set === undefined) throw new RegexError(`${whole} is not supported`, start);
  return { set: negation === '^' ? complement(set) : set, end: start + whole.length };
}
