import { countStep } from '../aggregates/event-count.ts';
import { type GroupKey, Groups, groupsInOrder, hasAllFields, keyRow } from '../aggregates/groups.ts';
import { type Fields, readField, writeField } from '../event.ts';
import { type Accumulator, type AggregateStep, slicedRows } from '../operators/operator.ts';
import { groupBytes, rowBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import { scopeOfRead } from '../run/run-scope.ts';
import { finish, type SlicedWork } from '../run/sliced-sort.ts';
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
  readonly #fields: readonly string[];
  readonly #weightColumn: string | undefined;
  readonly #run: RunScope;
  readonly #flows: Groups<Flow>;

  constructor(fields: readonly string[], weight: AggregateStep, run: RunScope) {
    this.#fields = fields;
    this.#weightColumn = weight.columns(undefined)?.[0];
    this.#run = run;
    this.#flows = new Groups(fields, (key) => {
      run.retain?.(groupBytes(key));
      return { key, accumulator: weight.open(run) };
    });
  }

  push(row: Fields, stored: Fields): void {
    if (!hasAllFields(row, this.#fields)) return;
    const maxFlows = Math.min(MAX_FLOWS, this.#run.maxGroups ?? MAX_FLOWS);
    const flow = this.#flows.of(row, maxFlows);
    if (flow === undefined) this.#run.warn(`sankey() shows at most ${maxFlows} flows.`);
    else flow.accumulator.push(row, stored);
  }

  rows(): readonly Fields[] {
    return finish(this.slicedRows());
  }

  *slicedRows(): SlicedWork<readonly Fields[]> {
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
