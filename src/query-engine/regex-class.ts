import { RegexError } from './regex-error.ts';
import { type CharacterOrSet, otherCase, POSIX, quoteCharacter, readEscape } from './regex-escape.ts';

/** A character class in JavaScript's spelling. */
export interface TranslatedClass {
  readonly source: string;
  /** Where the pattern goes on. */
  readonly end: number;
  /** Whether it has a property or a character beyond 16 bits. */
  readonly needsUnicode: boolean;
}

/**
 * Translates a character class, the `[` at `start`.
 *
 * @param bothCases whether letters stand for their other case, too.
 * @throws RegexError for what can't be expressed.
 */
export function readClass(body: string, start: number, bothCases: boolean): TranslatedClass {
  return new ClassReader(body, bothCases).read(start);
}

class ClassReader {
  readonly #body: string;
  readonly #bothCases: boolean;
  #position = 0;
  #needsUnicode = false;

  constructor(body: string, bothCases: boolean) {
    this.#body = body;
    this.#bothCases = bothCases;
  }

  read(start: number): TranslatedClass {
    const negated = this.#body[start + 1] === '^';
    this.#position = start + (negated ? 2 : 1);
    let members = '';
    for (let isFirst = true; isFirst || this.#body[this.#position] !== ']'; isFirst = false) {
      if (this.#position >= this.#body.length) throw new RegexError('a [ is not closed');
      members += this.#readMembers();
    }
    const source = `[${negated ? '^' : ''}${members}]`;
    return { source, end: this.#position + 1, needsUnicode: this.#needsUnicode };
  }

  /** One member, or a range. */
  #readMembers(): string {
    const from = this.#readMember();
    if ('set' in from) return from.set;
    const isRange =
      this.#body[this.#position] === '-' &&
      !/^-(?:\]|$)/.test(this.#body.slice(this.#position, this.#position + 2));
    if (!isRange) return this.#writeCharacter(from.character);
    this.#position += 1;
    const to = this.#readMember();
    if ('set' in to) return `${this.#writeCharacter(from.character)}\\-${to.set}`;
    const range = `${quoteCharacter(from.character, true)}-${quoteCharacter(to.character, true)}`;
    return this.#bothCases ? range + otherCaseOfRange(from.character, to.character) : range;
  }

  #readMember(): CharacterOrSet {
    const member = this.#peekMember();
    this.#position = member.end;
    if ('set' in member ? /^\\[pP]/.test(member.set) : member.character.length > 1) this.#needsUnicode = true;
    return member;
  }

  #peekMember(): CharacterOrSet {
    const start = this.#position;
    if (this.#body[start] === '\\') {
      return this.#body[start + 1] === 'b'
        ? { character: '\b', end: start + 2 }
        : readEscape(this.#body, start);
    }
    const posix = readPosixClass(this.#body, start);
    if (posix !== undefined) return posix;
    const character = String.fromCodePoint(this.#body.codePointAt(start) ?? 0);
    return { character, end: start + character.length };
  }

  #writeCharacter(character: string): string {
    const other = this.#bothCases ? otherCase(character) : undefined;
    return quoteCharacter(character, true) + (other ?? '');
  }
}

/** `[:alpha:]` within a class; `undefined` when there is none at `start`. */
function readPosixClass(body: string, start: number): CharacterOrSet | undefined {
  const posix = /\[:(\^?)(\w+):\]/y;
  posix.lastIndex = start;
  const match = posix.exec(body);
  if (match === null) return undefined;
  const [whole, negation, name = ''] = match;
  const set = POSIX.get(name);
  if (set === undefined || negation === '^') throw new RegexError(`${whole} is not supported`);
  return { set, end: start + whole.length };
}

/** The letters of a range `from-to` in the other case, as members of a class. */
function otherCaseOfRange(from: string, to: string): string {
  const swapped = (first: string, last: string, shift: number): string => {
    const low = Math.max(from.charCodeAt(0), first.charCodeAt(0));
    const high = Math.min(to.charCodeAt(0), last.charCodeAt(0));
    return low > high ? '' : `${String.fromCharCode(low + shift)}-${String.fromCharCode(high + shift)}`;
  };
  return swapped('a', 'z', -32) + swapped('A', 'Z', 32);
}
