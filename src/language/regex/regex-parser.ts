import { tryOr } from '../../core/try-or.ts';
import {
  ANY_CHARACTER,
  type CharacterSet,
  charactersOf,
  complement,
  ignoringCase,
  LINE_BREAKS,
} from './character-set.ts';
import { RegexError } from './regex-error.ts';
import { readClass, readEscape } from './regex-escape.ts';
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
    const blanks = /(?:\s|#[^\n]*)*/y;
    blanks.lastIndex = this.#position;
    this.#position += blanks.exec(this.#body)?.[0].length ?? 0;
  }

  #readQuantifier(body: RegexNode | undefined, start: number): RegexNode | undefined {
    if (this.#modes.isExtended) this.#skipBlanks();
    QUANTIFIER.lastIndex = this.#position;
    const match = QUANTIFIER.exec(this.#body);
    if (match === null) return body;
    if (body === undefined) throw this.#error('nothing to repeat');
    this.#countRepetition();
    const [text, least, comma, most] = match;
    this.#position += text.length;
    const min = least === undefined ? (text === '+' ? 1 : 0) : Number(least);
    const max = least === undefined ? (text === '?' ? 1 : Number.POSITIVE_INFINITY) : maxOf(min, comma, most);
    if (max < min) throw this.#error(`the numbers in ${text} are out of order`, start);
    const next = this.#body[this.#position];
    const repeat: RegexNode = { kind: 'Repeat', body, min, max, isLazy: next === '?' };
    // After braces, the service reads another quantifier.
    if (least !== undefined && next !== '?') return this.#readQuantifier(repeat, start);
    if (next === '?' || next === '+') this.#position += 1;
    QUANTIFIER.lastIndex = this.#position;
    if (QUANTIFIER.test(this.#body)) throw this.#error('nothing to repeat');
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
        QUANTIFIER.lastIndex = this.#position;
        if (QUANTIFIER.test(this.#body)) throw this.#error('nothing to repeat');
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
    const reference = /\\k<([^>]+)>/y;
    reference.lastIndex = this.#position;
    const match = reference.exec(this.#body);
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
    GROUP.lastIndex = start;
    const [whole = '(', name, on = '', off = '', colonOrEnd, look, atomic] = GROUP.exec(this.#body) ?? [];
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

function maxOf(min: number, comma: string | undefined, most: string | undefined): number {
  if (comma === undefined) return min;
  return most === undefined || most === '' ? Number.POSITIVE_INFINITY : Number(most);
}

function readModes(letters: string, on: boolean): Partial<RegexModes> {
  return {
    ...(letters.includes('i') && { ignoreCase: on }),
    ...(letters.includes('m') && { multiline: on }),
    ...(/[sd]/.test(letters) && { dotAll: on }),
    ...(letters.includes('x') && { isExtended: on }),
  };
}
