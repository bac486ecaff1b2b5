import { countStep } from '../aggregates/event-count.ts';
import { keyRow } from '../aggregates/groups.ts';
import { WeightedGroups } from '../aggregates/weighted-groups.ts';
import type { Fields } from '../event.ts';
import { rowBytes } from '../run/memory-estimate.ts';
import { scopeOfRead } from '../run/run-scope.ts';
import { aggregates, fieldName } from '../signature/argument-types.ts';
import { defineAggregate, required, withDefault } from '../signature/function-spec.ts';

const COLUMNS = ['source', 'target', 'weight'] as const;

/** The flows between the values of two fields with their weights, for a Sankey diagram. */
export const sankey = defineAggregate({
  name: 'sankey',
  uncertain: [
    'Events without the source or target field are ignored.',
    'Rows are sorted by source and target in ascending order.',
  ],
  parameters: {
    source: required(fieldName),
    target: required(fieldName),
    weight: withDefault(aggregates, countStep()),
  },
  compile: ({ source, target, weight }) => ({
    columns: () => COLUMNS,
    open(run) {
      const flows = new WeightedGroups([source, target], weight, run, (max) =>
        run.warn(`sankey() shows at most ${max} flows.`),
      );
      return {
        from: (table) => flows.from(table),
        *rows() {
          const { retain } = scopeOfRead(run);
          const rows: Fields[] = [];
          for (const flow of yield* flows.weights()) {
            const row = keyRow(COLUMNS, [...flow.key, flow.weight]);
            retain?.(rowBytes(row));
            rows.push(row);
          }
          return rows;
        },
      };
    },
  }),
});
