import { compareKeys, kindOf, sortKey } from '../compare.ts';
import { type SlicedWork, sortInSlices } from '../run/sliced-sort.ts';
import type { GroupKey, Groups } from './groups.ts';

interface OrderOptions {
  /** The places to sort. Default: all. */
  readonly places?: readonly number[] | undefined;
  /** The groups with the smallest ranks are first. */
  readonly rankOf?: (place: number) => number;
  readonly limit?: number | undefined;
}

/** Sorts places of groups by rank, if they have one, then by key, and returns the first `limit`. Runs in slices. */
export function* groupsInOrder(
  groups: Groups<unknown>,
  { places, rankOf, limit = Number.POSITIVE_INFINITY }: OrderOptions = {},
): SlicedWork<readonly number[]> {
  let found: readonly number[] = places ?? [...groups.values.keys()];
  const ranks = rankOf && (yield* ranksOf(groups, found, rankOf));
  if (ranks && found.length > limit) found = yield* bestRanked(found, ranks, limit);
  const compareKeysAt = yield* keyOrder(groups, found);
  const compare = ranks
    ? (a: number, b: number) => ranks[a]! - ranks[b]! || compareKeysAt(a, b)
    : compareKeysAt;
  return yield* sortInSlices(found, compare, limit);
}

function* ranksOf(
  groups: Groups<unknown>,
  places: readonly number[],
  rankOf: (place: number) => number,
): SlicedWork<Float64Array> {
  const ranks = new Float64Array(groups.size);
  for (const [index, place] of places.entries()) {
    ranks[place] = rankOf(place);
    if (index % PLACES_PER_STEP === 0) yield;
  }
  return ranks;
}

/** Compares the keys of groups at two places. */
function* keyOrder(
  groups: Groups<unknown>,
  places: readonly number[],
): SlicedWork<(a: number, b: number) => number> {
  const kinds = new Uint8Array(groups.size);
  /** Numbers and the different parts of strings: much faster to compare than strings that are all over the memory. */
  const codes = new Float64Array(groups.size);
  let first: string | undefined;
  let shared = 0;
  for (const [index, place] of places.entries()) {
    const key = sortKey(groups.keyAt(place)[0]);
    kinds[place] = kindOf(key);
    if (typeof key === 'number') codes[place] = key;
    else if (typeof key === 'string') {
      shared = first === undefined ? key.length : sharedLength(first, key, shared);
      first ??= key;
    }
    if (index % PLACES_PER_STEP === 0) yield;
  }
  for (const [index, place] of places.entries()) {
    if (kinds[place] === TEXT_KIND) codes[place] = codeOf(groups.keyAt(place)[0]!, shared);
    if (index % PLACES_PER_STEP === 0) yield;
  }
  return (a, b) =>
    kinds[a]! - kinds[b]! || codes[a]! - codes[b]! || compareGroupKeys(groups.keyAt(a), groups.keyAt(b));
}

const TEXT_KIND = kindOf('');

/** The number of characters with which both strings start, up to a maximum. */
function sharedLength(one: string, other: string, max: number): number {
  let length = 0;
  while (length < max && one.charCodeAt(length) === other.charCodeAt(length)) length++;
  return length;
}

const CODED_CHARACTERS = 6;

/** A number that sorts like the next characters, as far as these are Latin-1. */
function codeOf(text: string, start: number): number {
  let code = 0;
  let isLatin = true;
  for (let index = start; index < start + CODED_CHARACTERS; index++) {
    const digit: number = isLatin && index < text.length ? Math.min(text.charCodeAt(index) + 1, 0x100) : 0;
    isLatin &&= digit < 0x100;
    code = code * 0x101 + digit;
  }
  return code;
}

const PLACES_PER_STEP = 4096;

/** The places with the best ranks, including all ties with the last one. */
function* bestRanked(
  places: readonly number[],
  ranks: Float64Array,
  limit: number,
): SlicedWork<readonly number[]> {
  let best: number[] = [];
  let bound = Number.POSITIVE_INFINITY;
  const reduce = (): void => {
    best = [...Float64Array.from(best).sort().subarray(0, limit)];
    bound = best[limit - 1] ?? bound;
  };
  for (const [index, place] of places.entries()) {
    // Another rank like the last one changes nothing.
    if (ranks[place]! < bound && best.push(ranks[place]!) >= 2 * limit) reduce();
    if (index % PLACES_PER_STEP === 0) yield;
  }
  reduce();
  return places.filter((place) => ranks[place]! <= bound);
}

function compareGroupKeys(a: GroupKey, b: GroupKey): number {
  for (let index = 0; index < a.length; index++) {
    // "1" and "1.0" are equal as numbers, but different keys.
    const order = compareKeys(sortKey(a[index]), sortKey(b[index])) || compareText(a[index], b[index]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareText(a = '', b = ''): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
