import type { Column } from './event-table.ts';

/** Finds what belongs to the group of an event; `undefined` when there are too many groups for its own. */
export type GroupFinder<Opened> = (index: number) => Opened | undefined;

/** Small numbers that tell the combinations of values in some columns apart. */
export interface CombinedIds {
  /** All of them are below this. */
  readonly end: number;
  at(index: number): number;
}

/** More combinations are not worth a table. */
const MAX_COMBINATIONS = 0x2000;

/** `undefined` where many events have a value of their own, or there are too many combinations. */
export function combinedIds(columns: readonly Column[]): CombinedIds | undefined {
  let ids: CombinedIds = { end: 1, at: () => 0 };
  for (const { distinct } of columns) {
    if (distinct === undefined) return undefined;
    const before = ids;
    const { count, idAt } = distinct;
    const end = before.end * count;
    if (end > MAX_COMBINATIONS) return undefined;
    ids =
      before.end === 1 ? { end, at: idAt } : { end, at: (index) => before.at(index) * count + idAt(index) };
  }
  return ids;
}

/** Looks each combination of values up once, and opens each group once. */
export function openOnce<Group, Opened>(
  find: (index: number) => Group | undefined,
  open: (group: Group) => Opened,
  ids: CombinedIds | undefined,
): GroupFinder<Opened> {
  if (ids !== undefined) {
    const known: (Opened | undefined)[] = new Array(ids.end);
    return (index) => {
      const id = ids.at(index);
      if (known[id] !== undefined) return known[id];
      const group = find(index);
      if (group !== undefined) known[id] = open(group);
      return known[id];
    };
  }
  const known = new Map<Group, Opened>();
  return (index) => {
    const group = find(index);
    if (group === undefined) return undefined;
    let opened = known.get(group);
    if (opened === undefined) {
      opened = open(group);
      known.set(group, opened);
    }
    return opened;
  };
}
