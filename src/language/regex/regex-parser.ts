import { tryOr } from '../../core/try-or.ts';
import {
  ANY_CHARACTER,
  type CharacterSet,
  charactersOf,
  complement,
  ignoringCase,
  LINE_BREAKS,
  setOf,
  singleCharacter,
  union,
} from './character-set.ts';
import { RegexError } from './regex-error.ts';
import {
  type NamedGroup,
  type ParsedRegex,
  type RegexAssertion,
  type RegexNode,
  sequence,
} from './regex-syntax.ts';

/** Modes that flags set: `i`, `m`, `d` (also written `s`) and, only within the expression, `x`. */
export interface RegexModes {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  /** Whitespace and `# …` are ignored. */
  readonly isExtended?: boolean;
}

const ASSERTIONS: Partial<Record<string, RegexAssertion>> = {
  A: 'textStart',
  z: 'textEnd',
  b: 'wordBoundary',
  B: 'noWordBoundary',
};
/** Escapes that are short for an expression. */
const ABBREVIATIONS: Partial<Record<string, string>> = {
  R: '(?:\\r\\n|[\\n-\\r\\x85\\u2028\\u2029])',
  Z: '(?=\\n?\\z)',
};
const PLAIN: RegexModes = { ignoreCase: false, multiline: false, dotAll: false };
const QUANTIFIER = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})/y;
const GROUP = /\((?:\?(?:P?<([^=!>][^>]*)>|([a-z]*)(?:-([a-z]+))?([:)])|(<?[=!])|(>)))?/y;
/** Limits recursion. */
const MAX_DEPTH = 200;
/** JavaScript's engine needs time quadratic in their number to compile an expression, and can't be interrupted. */
const MAX_REPETITIONS = 500;

/** A regular expression in a query. */
export interface RegexSource {
  readonly body: string;
  readonly flags: string;
}

/** Valid flags. `F` selects one of the service's engines and has no effect here. */
const FLAGS = 'imdgF';

/** Parses a regular expression with its flags. Whatever this accepts can be run. @throws RegexError */
export function readRegex({ body, flags }: RegexSource): ParsedRegex {
  const unknown = [...flags].find((flag) => !FLAGS.includes(flag));
  if (unknown !== undefined) throw new RegexError(`unknown flag "${unknown}": use i, m, d, g or F`);
  return parseRegex(body, {
    ignoreCase: flags.includes('i'),
    multiline: flags.includes('m'),
    dotAll: flags.includes('d'),
  });
}

/**
 * Parses a regular expression of the service, which is close to Java's. Names of groups may contain dots, `@` and
 * brackets, and may repeat.
 *
 * Where the service's documentation is silent, this follows Java: `\s`, `\w`, `\d` and `\b` are ASCII, `\v` is one
 * character, `.` and `[^a]` match whole code points. Lines end at `\n`, `\r`, U+2028 and U+2029; without the flag `m`,
 * `$` matches only at the very end. Case is ignored for all of Unicode.
 *
 * @throws RegexError
 */
export function parseRegex(body: string, modes: RegexModes): ParsedRegex {
  return new RegexParser(body, modes).parse();
}

/** The names of the groups of an expression; none if it is invalid. */
export function groupNames(body: string): readonly string[] {
  return tryOr([], () => parseRegex(body, PLAIN).groups.map(({ name }) => name));
}

class RegexParser {
  readonly #body: string;
  readonly #groups: NamedGroup[] = [];
  readonly #closedGroups = new Set<number>();
  #modes: RegexModes;
  #groupCount = 0;
  #position = 0;
  #depth = 0;
  #repetitions = 0;

  constructor(body: string, modes: RegexModes) {
    this.#body = body;
    this.#modes = modes;
  }

  parse(): ParsedRegex {
    const root = this.#readAlternation();
    if (this.#position < this.#body.length) throw this.#error('a ) has no matching (');
    return { root, groups: this.#groups, groupCount: this.#groupCount };
  }

  #error(problem: string, position = this.#position): RegexError {
    return new RegexError(problem, position);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#position;
    return pattern.exec(this.#body);
  }

  #countRepetition(): void {
    if (++this.#repetitions > MAX_REPETITIONS) {
      throw new RegexError(`it has more than ${MAX_REPETITIONS} repetitions`);
    }
  }

  #readAlternation(): RegexNode {
    const options = [this.#readSequence()];
    while (this.#body[this.#position] === '|') {
      this.#position += 1;
      options.push(this.#readSequence());
    }
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: 'Alternation', options };
  }

  #readSequence(): RegexNode {
    const items: RegexNode[] = [];
    for (;;) {
      if (this.#modes.isExtended) this.#skipBlanks();
      const character = this.#body[this.#position];
      if (character === undefined || character === '|' || character === ')') return sequence(items);
      const start = this.#position;
      const atoms = this.#readAtoms();
      const last = atoms.pop();
      items.push(...atoms);
      // Flags and empty quotations create no node.
      const repeated = this.#readQuantifier(last, start);
      if (repeated !== undefined) items.push(repeated);
    }
  }

  #skipBlanks(): void {
    this.#position += this.#match(/(?:\s|#[^\n]*)*/y)?.[0].length ?? 0;
  }

  #readQuantifier(body: RegexNode | undefined, start: number): RegexNode | undefined {
    if (this.#modes.isExtended) this.#skipBlanks();
    const match = this.#match(QUANTIFIER);
    if (match === null) return body;
    if (body === undefined) throw this.#error('nothing to repeat');
    this.#countRepetition();
    const [text, least, comma, most = ''] = match;
    this.#position += text.length;
    const min = least === undefined ? (text === '+' ? 1 : 0) : Number(least);
    const limit = comma === undefined ? min : Number(most || Number.POSITIVE_INFINITY);
    const max = least === undefined ? (text === '?' ? 1 : Number.POSITIVE_INFINITY) : limit;
    if (max < min) throw this.#error(`the numbers in ${text} are out of order`, start);
    const next = this.#body[this.#position];
    const repeat: RegexNode = { kind: 'Repeat', body, min, max, isLazy: next === '?' };
    // After braces, the service reads another quantifier.
    if (least !== undefined && next !== '?') return this.#readQuantifier(repeat, start);
    if (next === '?' || next === '+') this.#position += 1;
    if (this.#match(QUANTIFIER)) throw this.#error('nothing to repeat');
    return next === '+' ? { kind: 'Atomic', body: repeat } : repeat;
  }

  /** Parses the atoms at the position; a quantifier after them applies to the last one. */
  #readAtoms(): RegexNode[] {
    const character = String.fromCodePoint(this.#body.codePointAt(this.#position) ?? 0);
    switch (character) {
      case '\\':
        return this.#readBackslash();
      case '[': {
        const { set, end } = readClass(this.#body, this.#position, this.#modes.ignoreCase);
        this.#position = end;
        return [{ kind: 'Set', set }];
      }
      case '(':
        return this.#readGroup();
      case '^':
        return [this.#assertion(this.#modes.multiline ? 'lineStart' : 'textStart', 1)];
      case '$':
        return [this.#assertion(this.#modes.multiline ? 'lineEnd' : 'textEnd', 1)];
      case '.':
        this.#position += 1;
        return [{ kind: 'Set', set: this.#modes.dotAll ? ANY_CHARACTER : complement(LINE_BREAKS) }];
      case '*':
      case '+':
      case '?':
        throw this.#error('nothing to repeat');
      case '{':
        if (this.#match(QUANTIFIER)) throw this.#error('nothing to repeat');
        break;
    }
    this.#position += character.length;
    return [this.#characterNode(charactersOf(character))];
  }

  #characterNode(set: CharacterSet): RegexNode {
    return { kind: 'Set', set: this.#modes.ignoreCase ? ignoringCase(set) : set };
  }

  #assertion(assertion: RegexAssertion, length: number): RegexNode {
    this.#position += length;
    return { kind: 'Assertion', assertion };
  }

  #readBackslash(): RegexNode[] {
    const letter = this.#body[this.#position + 1] ?? '';
    const assertion = ASSERTIONS[letter];
    if (assertion !== undefined) return [this.#assertion(assertion, 2)];
    if (letter === 'Q') return this.#readQuotation();
    if (letter === 'k') return [this.#readNamedReference()];
    const abbreviation = ABBREVIATIONS[letter];
    if (abbreviation !== undefined) {
      this.#position += 2;
      this.#countRepetition();
      return [parseRegex(abbreviation, PLAIN).root];
    }
    if (/[1-9]/.test(letter)) return [this.#readReference()];
    const { set, end } = readEscape(this.#body, this.#position);
    this.#position = end;
    return [this.#characterNode(set)];
  }

  #readQuotation(): RegexNode[] {
    const start = this.#position + 2;
    const close = this.#body.indexOf('\\E', start);
    const end = close === -1 ? this.#body.length : close;
    this.#position = close === -1 ? end : end + 2;
    return [...this.#body.slice(start, end)].map((character) => this.#characterNode(charactersOf(character)));
  }

  #readNamedReference(): RegexNode {
    const match = this.#match(/\\k<([^>]+)>/y);
    const group = this.#groups.find(({ name }) => name === match?.[1]);
    if (match === null || group === undefined || !this.#closedGroups.has(group.index)) {
      throw this.#error('\\k does not refer to an earlier group');
    }
    this.#position += match[0].length;
    return { kind: 'Reference', index: group.index, ignoreCase: this.#modes.ignoreCase };
  }

  /** A reference has as many digits as there are groups for. */
  #readReference(): RegexNode {
    const start = this.#position;
    let index = Number(this.#body[start + 1]);
    let end = start + 2;
    for (; /\d/.test(this.#body[end] ?? ''); end++) {
      const longer = index * 10 + Number(this.#body[end]);
      if (longer > this.#groupCount) break;
      index = longer;
    }
    if (!this.#closedGroups.has(index)) throw this.#error(`\\${index} does not refer to an earlier group`);
    this.#position = end;
    return { kind: 'Reference', index, ignoreCase: this.#modes.ignoreCase };
  }

  #readGroup(): RegexNode[] {
    const start = this.#position;
    const [whole = '(', name, on = '', off = '', colonOrEnd, look, atomic] = this.#match(GROUP) ?? [];
    if (whole === '(' && this.#body[start + 1] === '?') {
      throw this.#error(`the group (${this.#body.slice(start + 1, start + 4)}… is not supported`);
    }
    if (/[^imsdxu]/.test(on + off)) throw this.#error(`the inline flags in ${whole} are not supported`);
    if (++this.#depth > MAX_DEPTH) throw this.#error(`groups are nested deeper than ${MAX_DEPTH} levels`);
    this.#position += whole.length;
    const outer = this.#modes;
    this.#modes = { ...outer, ...readModes(on, true), ...readModes(off, false) };
    if (colonOrEnd === ')') {
      this.#depth -= 1;
      return [];
    }
    const isCapturing = look === undefined && colonOrEnd === undefined && atomic === undefined;
    const index = isCapturing ? ++this.#groupCount : undefined;
    if (index !== undefined && name !== undefined) this.#groups.push({ name, index });
    const body = this.#readAlternation();
    if (this.#body[this.#position] !== ')') throw this.#error('a group is not closed', start);
    this.#position += 1;
    this.#depth -= 1;
    this.#modes = outer;
    if (index !== undefined) this.#closedGroups.add(index);
    if (look !== undefined) return [{ kind: 'Look', opening: `?${look as '=' | '!' | '<=' | '<!'}`, body }];
    return [atomic === undefined ? { kind: 'Group', index, body } : { kind: 'Atomic', body }];
  }
}

function readModes(letters: string, on: boolean): Partial<RegexModes> {
  return {
    ...(letters.includes('i') && { ignoreCase: on }),
    ...(letters.includes('m') && { multiline: on }),
    ...(/[sd]/.test(letters) && { dotAll: on }),
    ...(letters.includes('x') && { isExtended: on }),
  };
}

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
  if (/[A-Za-z0-9]/.test(letter)) throw new RegexError(`\\${letter} is not supported; a \\ is \\\\`, start);
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
  const plain = short ?? long.replace(/^(?:Is|In)(?=[A-Z])/, '');
  const name = [plain, `Script=${plain}`].find((spelling) =>
    tryOr(undefined, () => new RegExp(`\\p{${spelling}}`, 'u')),
  );
  if (name === undefined) throw new RegexError(`invalid property name in ${whole}`, start);
  const properties = [`${isNegated ? 'P' : 'p'}{${name}}`];
  return { set: { ranges: [], properties, negated: false }, end };
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
