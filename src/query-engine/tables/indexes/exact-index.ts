import type { LookupTable } from '../../query-library.ts';
import { type KeyOptions, keyOfEvent, keyOfRow, type TableIndex } from './index-key.ts';

const NONE = -1;

/** Finds rows by equal values. Has one entry per key, and one number per row with a repeated key. */
export function* exactIndex({ rows }: LookupTable, options: KeyOptions): Generator<void, TableIndex> {
  const lastRow = new Map<string, number>();
  const earlierRow = new Map<number, number>();
  for (let row = 0; row < rows.length; row += 1) {
    const key = keyOfRow(rows[row]!, options);
    if (key === undefined) continue;
    const earlier = lastRow.get(key);
    if (earlier !== undefined) earlierRow.set(row, earlier);
    lastRow.set(key, row);
    yield;
  }
  const last: TableIndex['last'] = (event) => {
    const key = keyOfEvent(event, options);
    return key === undefined ? NONE : (lastRow.get(key) ?? NONE);
  };
  return {
    last,
    lastOnes(event, limit) {
      const found: number[] = [];
      let row = last(event);
      while (row !== NONE && found.length < limit) {
        found.push(row);
        row = earlierRow.get(row) ?? NONE;
      }
      return found;
    },
  };
}
