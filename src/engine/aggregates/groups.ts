import { combinedIds } from '../columns/computed.ts';
import type { Column, EventTable } from '../columns/event-table.ts';
import { compareKeys, kindOf, sortKey } from '../compare.ts';
import { type Fields, writeField } from '../event.ts';
import { type SlicedWork, sortInSlices } from '../run/sliced-sort.ts';

/** A copy that doesn't keep the longer string in memory that it is a part of, and is compared faster. */
function ownCopy(text: string): string {
  return [text.slice(0, 1), text.slice(1)].join('');
}

/** One value per key field; `undefined` if the event lacks it. */
export type GroupKey = readonly (string | undefined)[];

export interface GroupOptions<T> {
  readonly create: (key: GroupKey) => T;
  /** Maximum number of groups; events of further groups are ignored. */
  readonly max: number;
  /** Called for each event that is ignored. */
  readonly onFull: () => void;
  /** Whether events that lack a key field are ignored. @default false */
  readonly needsAll?: true;
}

/** One value for each distinct combination of key fields. */
export class Groups<T> {
  readonly #fields: readonly string[];
  readonly #options: GroupOptions<T>;
  readonly #groups = new Map<string | undefined, T>();

  constructor(fields: readonly string[], options: GroupOptions<T>) {
    this.#fields = fields;
    this.#options = options;
  }

  of(key: GroupKey): T | undefined {
    const id = idOf(key);
    return this.#groups.get(id) ?? this.#add(id, key);
  }

  /** Returns a function that finds the group of an event. */
  inTable(table: EventTable): (index: number) => T | undefined {
    const columns = this.#columnsOf(table);
    const keyAt = (index: number): GroupKey => columns.map((column) => column.at(index));
    const [only] = columns;
    if (columns.length !== 1 || !only) return byCombination(columns, (index) => this.of(keyAt(index)));
    const { glance = (index) => only.at(index) } = only;
    return byCombination(columns, (index) => this.#ofText(glance(index)));
  }

  /**
   * Returns a function that finds a value derived from the group of an event.
   *
   * @param open derives the value, which is valid for this table only.
   */
  openedIn<Opened>(table: EventTable, open: (group: T) => Opened): (index: number) => Opened | undefined {
    const groupOf = this.inTable(table);
    const known = new Map<T, Opened>();
    return byCombination(this.#columnsOf(table), (index) => {
      const group = groupOf(index);
      if (group === undefined) return undefined;
      let opened = known.get(group);
      if (opened === undefined) {
        opened = open(group);
        known.set(group, opened);
      }
      return opened;
    });
  }

  #columnsOf(table: EventTable): readonly Column[] {
    return this.#fields.map((name) => table.column(name));
  }

  #ofText(text: string | undefined): T | undefined {
    const group = this.#groups.get(text);
    if (group !== undefined) return group;
    const id = text === undefined ? undefined : ownCopy(text);
    return this.#add(id, [id]);
  }

  get size(): number {
    return this.#groups.size;
  }

  values(): Iterable<T> {
    return this.#groups.values();
  }

  #add(id: string | undefined, key: GroupKey): T | undefined {
    const { create, max, onFull, needsAll } = this.#options;
    if (needsAll && key.includes(undefined)) return undefined;
    if (this.#groups.size >= max) {
      onFull();
      return undefined;
    }
    const group = create(key);
    this.#groups.set(id, group);
    return group;
  }
}

/** Finds something once per combination of values, if these are few: at least twice as fast for levels and services. */
function byCombination<Found>(
  columns: readonly Column[],
  find: (index: number) => Found | undefined,
): (index: number) => Found | undefined {
  const ids = combinedIds(columns);
  if (ids === undefined) return find;
  const byId: (Found | undefined)[] = new Array(ids.end);
  return (index) => {
    const id = ids.at(index);
    byId[id] ??= find(index);
    return byId[id];
  };
}

/** Length prefixes distinguish ("a", "bc") from ("ab", "c"), and missing values from empty ones. */
function idOf(key: GroupKey): string | undefined {
  if (key.length === 1) return key[0];
  let id = '';
  for (const value of key) id += value === undefined ? '-' : `${value.length}:${value}`;
  return id;
}

/** The key fields, as the first fields of a result row. */
export function keyRow(names: readonly string[], key: GroupKey): Fields {
  const row: Fields = {};
  for (const [index, name] of names.entries()) {
    const value = key[index];
    if (value !== undefined) writeField(row, name, value);
  }
  return row;
}

interface Keyed {
  readonly key: GroupKey;
}

/** Sorts groups by rank, if they have one, then by key, and returns the first `limit`. Runs in slices. */
export function* groupsInOrder<T extends Keyed>(
  groups: Iterable<T>,
  rankOf?: (group: T) => number,
  limit = Number.POSITIVE_INFINITY,
): SlicedWork<readonly T[]> {
  const all = [...groups];
  const found = rankOf && Number.isFinite(limit) ? yield* bestRanked(all, rankOf, limit) : all;
  const compareKeysAt = yield* keyOrder(found);
  const ranks = rankOf && Float64Array.from(found, rankOf);
  const compare = ranks
    ? (a: number, b: number) => ranks[a]! - ranks[b]! || compareKeysAt(a, b)
    : compareKeysAt;
  const sorted = yield* sortInSlices([...found.keys()], compare, limit);
  return sorted.map((place) => found[place]!);
}

/** Compares the keys of groups at two places. */
function* keyOrder(groups: readonly Keyed[]): SlicedWork<(a: number, b: number) => number> {
  const kinds = new Uint8Array(groups.length);
  /** Numbers and the different parts of strings: much faster to compare than strings that are all over the memory. */
  const codes = new Float64Array(groups.length);
  let first: string | undefined;
  let shared = 0;
  for (let place = 0; place < groups.length; place++) {
    const key = sortKey(groups[place]!.key[0]);
    kinds[place] = kindOf(key);
    if (typeof key === 'number') codes[place] = key;
    else if (typeof key === 'string') {
      shared = first === undefined ? key.length : sharedLength(first, key, shared);
      first ??= key;
    }
    if (place % RANKS_PER_STEP === 0) yield;
  }
  for (let place = 0; place < groups.length; place++) {
    if (kinds[place] === TEXT_KIND) codes[place] = codeOf(groups[place]!.key[0]!, shared);
    if (place % RANKS_PER_STEP === 0) yield;
  }
  return (a, b) =>
    kinds[a]! - kinds[b]! || codes[a]! - codes[b]! || compareGroupKeys(groups[a]!.key, groups[b]!.key);
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

const RANKS_PER_STEP = 4096;

/** The groups with the best ranks, including all ties with the last one. */
function* bestRanked<T>(
  groups: readonly T[],
  rankOf: (group: T) => number,
  limit: number,
): SlicedWork<readonly T[]> {
  if (groups.length <= limit) return groups;
  const ranks = new Float64Array(groups.length);
  let best: number[] = [];
  let bound = Number.POSITIVE_INFINITY;
  const reduce = (): void => {
    best = [...Float64Array.from(best).sort().subarray(0, limit)];
    bound = best[limit - 1] ?? bound;
  };
  for (let index = 0; index < groups.length; index++) {
    const rank = rankOf(groups[index]!);
    ranks[index] = rank;
    // Another rank like the last one changes nothing.
    if (rank < bound && best.push(rank) >= 2 * limit) reduce();
    if (index % RANKS_PER_STEP === 0) yield;
  }
  reduce();
  return groups.filter((_, index) => ranks[index]! <= bound);
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
