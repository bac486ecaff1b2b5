import { aggregates, fieldNames, limit } from '../argument-types.ts';
import type { Fields } from '../event.ts';
import { defineAggregate, required, withDefault } from '../function-spec.ts';
import { compareGroupKeys, type GroupKey, Groups, keyRow } from '../groups.ts';
import { numericTotal } from '../numeric-total.ts';
import type { Accumulator, AggregateStep } from '../operator.ts';
import type { RunScope } from '../run-context.ts';
import { countStep } from './count.ts';

const DEFAULT_GROUPS = 20_000;
/** More groups than this are not even counted: their number is only bounded by that of the events. */
const MAX_GROUPS = 1_000_000;

/** One group for each combination of values of the key fields; a missing key field is a value like any other. */
export const groupBy = defineAggregate({
  name: 'groupBy',
  parameters: {
    field: required(fieldNames, { unnamed: true }),
    function: withDefault(aggregates, countStep()),
    limit: withDefault(limit({ max: MAX_GROUPS }), DEFAULT_GROUPS),
  },
  compile(args) {
    const { field: fields, limit: maxGroups } = args;
    const inner = args.function;
    return {
      columns: () => [...new Set([...fields, ...(inner.columns(undefined) ?? [])])],
      open: (run) => new GroupBy({ fields, inner, maxGroups }, run),
    };
  },
});

interface GroupByOptions {
  readonly fields: readonly string[];
  readonly inner: AggregateStep;
  readonly maxGroups: number;
}

interface Group {
  readonly key: GroupKey;
  readonly accumulator: Accumulator;
}

interface GroupResult {
  readonly key: GroupKey;
  readonly rows: readonly Fields[];
}

class GroupBy implements Accumulator {
  readonly #options: GroupByOptions;
  readonly #run: RunScope;
  readonly #groups: Groups<Group>;

  constructor(options: GroupByOptions, run: RunScope) {
    this.#options = options;
    this.#run = run;
    this.#groups = new Groups(options.fields, (key) => ({ key, accumulator: options.inner.open(run) }));
  }

  push(row: Fields, stored: Fields): void {
    const group = this.#groups.of(row, MAX_GROUPS);
    if (group === undefined) this.#run.warn(`groupBy() counts no more than ${MAX_GROUPS} groups.`);
    else group.accumulator.push(row, stored);
  }

  rows(): readonly Fields[] {
    const { fields } = this.#options;
    const results = this.#limited(this.#results()).sort((a, b) => compareGroupKeys(a.key, b.key));
    return results.flatMap(({ key, rows }) => rows.map((row) => ({ ...keyRow(fields, key), ...row })));
  }

  #results(): GroupResult[] {
    const { inner } = this.#options;
    const results: GroupResult[] = [];
    for (const { key, accumulator } of this.#groups.values()) {
      const rows = accumulator.rows();
      if (rows.length > 0) results.push({ key, rows });
      else if (!inner.filtersGroups) results.push({ key, rows: [{}] });
    }
    return results;
  }

  #limited(results: GroupResult[]): GroupResult[] {
    const { inner, maxGroups } = this.#options;
    if (results.length <= maxGroups) return results;
    this.#run.warn(
      `groupBy() shows the ${maxGroups} largest of ${results.length} groups. Set "limit" for more.`,
    );
    const columns = inner.columns(undefined);
    return results
      .map((result) => ({ ...result, total: numericTotal(result.rows, columns) }))
      .sort((a, b) => b.total - a.total)
      .slice(0, maxGroups);
  }
}
