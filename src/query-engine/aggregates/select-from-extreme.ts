import { ChangedTable } from '../columns/changed-table.ts';
import type { Fields } from '../event.ts';
import { rowBytes } from '../run/memory-estimate.ts';
import { fieldName, fieldNames } from '../signature/argument-types.ts';
import { defineAggregate, type FunctionSpec, required } from '../signature/function-spec.ts';

/** An aggregate that shows fields of the event whose number in a field `beats` all others; of several, the first. */
export function defineSelectFrom(
  name: string,
  beats: (number: number, best: number) => boolean,
): FunctionSpec {
  return defineAggregate({
    name,
    parameters: {
      field: required(fieldName, { unnamed: true }),
      include: required(fieldNames),
    },
    compile({ field, include }) {
      const includesAll = include.includes('*');
      return {
        reads: [field],
        columns: (before) => (includesAll ? before : include),
        open(run) {
          let best: number | undefined;
          let selected: Fields | undefined;
          return {
            from(table) {
              const source = includesAll ? table : ChangedTable.picked(table, include);
              const numberAt = table.column(field).numberReader();
              return (index) => {
                const number = numberAt(index);
                if (Number.isNaN(number) || (best !== undefined && !beats(number, best))) return;
                best = number;
                const row = source.row(index);
                if (selected === undefined) run.retain?.(rowBytes(row));
                selected = row;
              };
            },
            rows: () => (selected === undefined ? [] : [selected]),
          };
        },
      };
    },
  });
}
