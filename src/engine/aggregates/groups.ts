import { combinedIds } from '../columns/computed.ts';
import type { Column, EventTable } from '../columns/event-table.ts';
import { compareKeys, type SortKey, sortKey } from '../compare.ts';
import { type Fields, writeField } from '../event.ts';
import { ITEMS_PER_STEP, type SlicedWork, sortInSlices } from '../run/sliced-sort.ts';

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
    return byCombination(
      columns,
      columns.length === 1 && only
        ? (index) => this.#ofText(only.at(index))
        : (index) => this.of(keyAt(index)),
    );
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
    return this.#groups.get(text) ?? this.#add(text, [text]);
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

/** Sorts groups by rank, then by key, and returns the first `limit`. Runs in slices. */
export function* groupsInOrder<T extends { readonly key: GroupKey }>(
  groups: Iterable<T>,
  rankOf: (group: T) => number,
  limit = Number.POSITIVE_INFINITY,
): SlicedWork<T[]> {
  const entries: (SortEntry & { readonly group: T; readonly rank: number })[] = [];
  const candidates = Number.isFinite(limit) ? yield* bestRanked([...groups], rankOf, limit) : groups;
  for (const group of candidates) {
    entries.push({ group, rank: rankOf(group), keys: group.key.map(sortKey) });
    if (entries.length % ITEMS_PER_STEP === 0) yield;
  }
  const sorted = yield* sortInSlices(entries, (a, b) => a.rank - b.rank || compareEntries(a, b), limit);
  return sorted.map(({ group }) => group);
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

interface SortEntry {
  readonly group: { readonly key: GroupKey };
  readonly keys: readonly SortKey[];
}

function compareEntries(a: SortEntry, b: SortEntry): number {
  for (let index = 0; index < a.keys.length; index++) {
    // "1" and "1.0" are equal as numbers, but different keys.
    const order =
      compareKeys(a.keys[index], b.keys[index]) || compareText(a.group.key[index], b.group.key[index]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareText(a = '', b = ''): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
