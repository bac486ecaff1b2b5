/** A range of code points, inclusive. */
export type CharacterRange = readonly [from: number, to: number];

/**
 * A set of characters. Ranges are sorted and disjoint.
 *
 * Unicode properties such as `p{Lu}` stay names; only sets with properties can be `negated`.
 */
export interface CharacterSet {
  readonly ranges: readonly CharacterRange[];
  readonly properties: readonly string[];
  readonly negated: boolean;
}

export const MAX_CODE_POINT = 0x10ffff;

export function setOf(...ranges: readonly CharacterRange[]): CharacterSet {
  return { ranges: inOrder(ranges), properties: [], negated: false };
}

/** The characters of a string. */
export function charactersOf(text: string): CharacterSet {
  return setOf(...[...text].map((character) => only(character.codePointAt(0) ?? 0)));
}

export const ANY_CHARACTER = setOf([0, MAX_CODE_POINT]);

/** Line terminators, which `.` does not match. */
export const LINE_BREAKS = charactersOf('\n\r\u2028\u2029');

/** The union of the members of a class. None of them may be a negated set with properties. */
export function union(sets: readonly CharacterSet[]): CharacterSet {
  return {
    ranges: inOrder(sets.flatMap(({ ranges }) => ranges)),
    properties: [...new Set(sets.flatMap(({ properties }) => properties))],
    negated: false,
  };
}

export function complement(set: CharacterSet): CharacterSet {
  if (set.properties.length > 0) return { ...set, negated: !set.negated };
  const ranges: CharacterRange[] = [];
  let next = 0;
  for (const [from, to] of set.ranges) {
    if (from > next) ranges.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= MAX_CODE_POINT) ranges.push([next, MAX_CODE_POINT]);
  return { ranges, properties: [], negated: false };
}

/** Adds the other case of all letters. */
export function ignoringCase(set: CharacterSet): CharacterSet {
  const others = casePairs(set).flatMap(([one, other]): CharacterRange[] => {
    const [hasOne, hasOther] = [includes(set, one), includes(set, other)];
    return hasOne === hasOther ? [] : [only(hasOne ? other : one)];
  });
  const properties = set.properties.flatMap((name) => (CASED.has(name) ? [...CASED] : [name]));
  return {
    ranges: inOrder([...set.ranges, ...others]),
    properties: [...new Set(properties)],
    negated: set.negated,
  };
}

const CASED: ReadonlySet<string> = new Set(['p{Lu}', 'p{Ll}', 'p{Lt}']);

type CasePair = readonly [lower: number, upper: number];

let asciiPairs: readonly CasePair[] | undefined;
let allPairs: readonly CasePair[] | undefined;

function casePairs({ ranges }: CharacterSet): readonly CasePair[] {
  const isAscii = (ranges.at(-1)?.[1] ?? 0) < 128;
  if (isAscii) {
    asciiPairs ??= findCasePairs(128);
    return asciiPairs;
  }
  // The last letter with two cases is well below this code point.
  allPairs ??= findCasePairs(0x1e944);
  return allPairs;
}

/** Pairs of letters that differ only in case. Letters that share a case with another letter (ß, ſ) are excluded. */
function findCasePairs(end: number): CasePair[] {
  const pairs: CasePair[] = [];
  for (let code = 0; code < end; code++) {
    const character = String.fromCodePoint(code);
    const upper = character.toUpperCase();
    const other = upper.codePointAt(0) ?? code;
    if (upper !== character && upper.toLowerCase() === character && String.fromCodePoint(other) === upper) {
      pairs.push([code, other]);
    }
  }
  return pairs;
}

function includes({ ranges }: CharacterSet, code: number): boolean {
  return ranges.some(([from, to]) => from <= code && code <= to);
}

/** The character of a set with exactly one. */
export function singleCharacter({ ranges, properties }: CharacterSet): number | undefined {
  const [range] = ranges;
  if (range === undefined || ranges.length > 1 || properties.length > 0) return undefined;
  return range[0] === range[1] ? range[0] : undefined;
}

function only(code: number): CharacterRange {
  return [code, code];
}

function inOrder(ranges: readonly CharacterRange[]): readonly CharacterRange[] {
  if (ranges.length < 2) return ranges;
  const result: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}
