import { combinedIds } from '../columns/computed.ts';
import type { Column, EventTable } from '../columns/event-table.ts';
import { groupBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import { TextPlaces } from '../text/text-places.ts';

/** One value per key field; `undefined` if the event lacks it. */
export type GroupKey = readonly (string | undefined)[];

export interface GroupOptions<T> {
  /** Accounts for the memory of the groups. */
  readonly run: RunScope;
  readonly create: () => T;
  /** Number of simple aggregates of a group, for its memory. @default 1 */
  readonly aggregates?: number | undefined;
  /** Maximum number of groups; events of further groups are ignored. */
  readonly max: number;
  /** Warns that events are ignored. */
  readonly warning: string;
  /** Whether events that lack a key field are ignored. @default false */
  readonly needsAll?: true;
}

/** One value for each distinct combination of key fields. Each has a place, from 0 in order of appearance. */
export class Groups<T> {
  readonly values: T[] = [];
  readonly #fields: readonly string[];
  readonly #options: GroupOptions<T>;
  readonly #ids = new TextPlaces();
  /** Empty for one field, whose ids are the keys: a million groups need 56 MB less. */
  readonly #keys: GroupKey[] = [];

  constructor(fields: readonly string[], options: GroupOptions<T>) {
    this.#fields = fields;
    this.#options = options;
  }

  get size(): number {
    return this.values.length;
  }

  keyAt(place: number): GroupKey {
    return this.#keys[place] ?? [this.#ids.textAt(place)];
  }

  /** @returns the place of the group; `undefined` if it is ignored. */
  placeOf(key: GroupKey): number | undefined {
    return this.#placeOfId(idOf(key), key);
  }

  /** Returns a function that finds the place of an event's group. */
  inTable(table: EventTable): (index: number) => number | undefined {
    const columns = this.#columnsOf(table);
    const [only] = columns;
    if (columns.length !== 1 || !only) {
      return byCombination(columns, (index) => this.placeOf(columns.map((column) => column.at(index))));
    }
    const { glance = (index) => only.at(index) } = only;
    return byCombination(columns, (index) => this.#placeOfId(glance(index)));
  }

  /**
   * Returns a function that finds a value derived from the group of an event.
   *
   * @param open derives the value, which is valid for this table only.
   */
  openedIn<Opened>(table: EventTable, open: (group: T) => Opened): (index: number) => Opened | undefined {
    const placeOf = this.inTable(table);
    const known = new Map<number, Opened>();
    return byCombination(this.#columnsOf(table), (index) => {
      const place = placeOf(index);
      if (place === undefined) return undefined;
      let opened = known.get(place);
      if (opened === undefined) {
        opened = open(this.values[place]!);
        known.set(place, opened);
      }
      return opened;
    });
  }

  #columnsOf(table: EventTable): readonly Column[] {
    return this.#fields.map((name) => table.column(name));
  }

  #placeOfId(id: string | undefined, key?: GroupKey): number | undefined {
    return this.#ids.find(id) ?? this.#add(id, key);
  }

  #add(id: string | undefined, key: GroupKey = [id]): number | undefined {
    const { run, create, aggregates, max, warning, needsAll } = this.#options;
    if (needsAll && key.includes(undefined)) return undefined;
    if (this.size >= max) {
      run.warn(warning);
      return undefined;
    }
    run.retain?.(groupBytes(key, aggregates));
    const group = create();
    this.#ids.add(id);
    if (key.length !== 1) this.#keys.push(key);
    return this.values.push(group) - 1;
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
export function idOf(key: GroupKey): string | undefined {
  if (key.length === 1) return key[0];
  let id = '';
  for (const value of key) id += value === undefined ? '-' : `${value.length}:${value}`;
  return id;
}
