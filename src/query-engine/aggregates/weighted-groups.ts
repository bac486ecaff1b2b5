import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { readField } from '../event.ts';
import { type Accumulator, type AggregateStep, slicedRows } from '../operators/operator.ts';
import { groupBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import type { SlicedWork } from '../run/sliced-sort.ts';
import { type GroupKey, Groups, groupsInOrder } from './groups.ts';

const MAX_GROUPS = 20_000;

/** One aggregate per combination of key fields. Events that lack a key field are ignored. */
export class WeightedGroups {
  readonly #weightColumn: string | undefined;
  readonly #groups: Groups<{ readonly key: GroupKey; readonly accumulator: Accumulator }>;

  /** @param onFull called with the maximum number of groups for each event beyond it. */
  constructor(
    fields: readonly string[],
    weight: AggregateStep,
    run: RunScope,
    onFull: (max: number) => void,
  ) {
    this.#weightColumn = weight.columns(undefined)?.[0];
    const max = Math.min(MAX_GROUPS, run.maxGroups ?? MAX_GROUPS);
    this.#groups = new Groups(fields, {
      create(key) {
        run.retain?.(groupBytes(key));
        return { key, accumulator: weight.open(run) };
      },
      max,
      onFull: () => onFull(max),
      needsAll: true,
    });
  }

  from(table: EventTable): TakeEvent {
    const takeOf = this.#groups.inTable(table, ({ accumulator }) => accumulator.from(table));
    return (index) => takeOf(index)?.(index);
  }

  /** The groups in key order, each with the first field of its aggregate. */
  *weights(): SlicedWork<{ readonly key: GroupKey; readonly weight: string | undefined }[]> {
    const weights: { key: GroupKey; weight: string | undefined }[] = [];
    for (const { key, accumulator } of yield* groupsInOrder(this.#groups.values(), () => 0)) {
      const [result] = yield* slicedRows(accumulator);
      const column = this.#weightColumn;
      weights.push({ key, weight: result && column && readField(result, column) });
    }
    return weights;
  }
}
