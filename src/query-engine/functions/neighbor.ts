import { copyFields, type Fields, readField, writeField } from '../event.ts';
import { withColumns } from '../operators/operator.ts';
import { rowAggregate } from '../operators/row-code.ts';
import { rowBytes } from '../run/memory-estimate.ts';
import { scopeOfRead } from '../run/run-scope.ts';
import type { SlicedWork } from '../run/sliced-sort.ts';
import { requireOrder } from '../sequences/sequence.ts';
import { fieldNames, integer, oneOf, text } from '../signature/argument-types.ts';
import { defineAggregate, optional, required, withDefault } from '../signature/function-spec.ts';

const MAX_DISTANCE = 1_000_000;

/** Adds fields of a preceding or following row, with a prefix. */
export const neighbor = defineAggregate({
  name: 'neighbor',
  parameters: {
    include: required(fieldNames, { unnamed: true }),
    prefix: optional(text),
    distance: withDefault(integer({ min: 1, max: MAX_DISTANCE }), 1),
    direction: withDefault(oneOf('preceding', 'succeeding'), 'preceding'),
  },
  uncertain: [
    'Without a prefix, fields from preceding rows are named `prev.<field>`, and fields from succeeding rows are named `next.<field>`.',
  ],
  compile({ include, prefix, distance, direction }, call) {
    requireOrder('neighbor', call);
    const step = direction === 'preceding' ? -distance : distance;
    const lead = `${prefix ?? (direction === 'preceding' ? 'prev' : 'next')}.`;
    const includesAll = include.includes('*');
    return rowAggregate({
      columns: (before) =>
        withColumns(
          before,
          (includesAll ? (before ?? []) : include).map((name) => lead + name),
        ),
      open(run) {
        const rows: Fields[] = [];
        function* withNeighbors(): SlicedWork<readonly Fields[]> {
          const { retain } = scopeOfRead(run);
          const results: Fields[] = [];
          for (const [index, row] of rows.entries()) {
            const other = rows[index + step];
            const names = includesAll && other !== undefined ? Object.keys(other) : include;
            const result = other === undefined ? row : withFields(row, other, names, lead);
            retain?.(rowBytes(result));
            results.push(result);
            yield;
          }
          return results;
        }
        return {
          push: (row) => {
            run.retain?.(rowBytes(row));
            rows.push(row);
          },
          rows: withNeighbors,
        };
      },
    });
  },
});

function withFields(row: Fields, other: Fields, names: readonly string[], lead: string): Fields {
  const combined = copyFields(row);
  for (const name of names) {
    const value = readField(other, name);
    if (value !== undefined) writeField(combined, lead + name, value);
  }
  return combined;
}
