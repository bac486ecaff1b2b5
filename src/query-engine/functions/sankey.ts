import { countStep } from '../aggregates/event-count.ts';
import { type GroupKey, Groups, groupsInOrder, keyRow } from '../aggregates/groups.ts';
import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { type Fields, readField, writeField } from '../event.ts';
import { type Accumulator, type AggregateStep, slicedRows } from '../operators/operator.ts';
import { groupBytes, rowBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import { scopeOfRead } from '../run/run-scope.ts';
import type { SlicedWork } from '../run/sliced-sort.ts';
import { aggregates, fieldName } from '../signature/argument-types.ts';
import { defineAggregate, required, withDefault } from '../signature/function-spec.ts';

const COLUMNS = ['source', 'target', 'weight'] as const;
const MAX_FLOWS = 20_000;

/** The flows between the values of two fields, with the weight of each: what a Sankey diagram is drawn of. */
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
    open: (run) => new Sankey([source, target], weight, run),
  }),
});

interface Flow {
  readonly key: GroupKey;
  readonly accumulator: Accumulator;
}

class Sankey implements Accumulator {
  readonly #weightColumn: string | undefined;
  readonly #run: RunScope;
  readonly #flows: Groups<Flow>;

  constructor(fields: readonly string[], weight: AggregateStep, run: RunScope) {
    this.#weightColumn = weight.columns(undefined)?.[0];
    this.#run = run;
    const max = Math.min(MAX_FLOWS, run.maxGroups ?? MAX_FLOWS);
    this.#flows = new Groups(fields, {
      create(key) {
        run.retain?.(groupBytes(key));
        return { key, accumulator: weight.open(run) };
      },
      max,
      onFull: () => run.warn(`sankey() shows at most ${max} flows.`),
      needsAll: true,
    });
  }

  from(table: EventTable): TakeEvent {
    const takeOf = this.#flows.inTable(table, ({ accumulator }) => accumulator.from(table));
    return (index) => takeOf(index)?.(index);
  }

  *rows(): SlicedWork<readonly Fields[]> {
    const { retain } = scopeOfRead(this.#run);
    const rows: Fields[] = [];
    for (const { key, accumulator } of yield* groupsInOrder(this.#flows.values(), () => 0)) {
      const [result] = yield* slicedRows(accumulator);
      const row = this.#row(key, result);
      retain?.(rowBytes(row));
      rows.push(row);
    }
    return rows;
  }

  #row(key: GroupKey, result: Fields | undefined): Fields {
    const row = keyRow(COLUMNS, key);
    const weight = result && this.#weightColumn && readField(result, this.#weightColumn);
    if (weight !== undefined) writeField(row, 'weight', weight);
    return row;
  }
}
