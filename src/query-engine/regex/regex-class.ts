import {
  type CharacterSet,
  charactersOf,
  complement,
  ignoringCase,
  setOf,
  singleCharacter,
  union,
} from './character-set.ts';
import { RegexError } from './regex-error.ts';
import { POSIX, type ReadCharacters, readEscape } from './regex-escape.ts';

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
