import { overRows } from '../columns/row-view.ts';
import { filterStep } from '../operators/filter-step.ts';
import type { FirstPass } from '../operators/operator.ts';
import { textBytes } from '../run/memory-estimate.ts';
import { preparedResult } from '../run/preparation.ts';
import { condition, fieldNames, flag, listOf } from '../signature/argument-types.ts';
import { defineTransform, required, withDefault } from '../signature/function-spec.ts';
import { type KeyOptions, keyOfEvent } from '../tables/indexes/index-key.ts';
import { KeyFilters } from '../tables/self-join-keys.ts';

/**
 * Keeps events of those keys for which each filter matches some event, not necessarily the same one; with
 * `prefilter=true`, only events that pass a filter. Reads all events twice, and is exact.
 */
export const selfJoinFilter = defineTransform({
  name: 'selfJoinFilter',
  parameters: {
    field: required(fieldNames, { unnamed: true }),
    where: required(listOf(condition, 'filters')),
    prefilter: withDefault(flag, false),
  },
  partial: ['`selfJoinFilter()` is not allowed within `case`, `match` or function arguments.'],
  compile({ field: fields, where, prefilter }, call) {
    const filters = new KeyFilters(where, 'selfJoinFilter', call);
    const options: KeyOptions = { fields, columns: [], ignoreCase: false };
    const firstPass: FirstPass = {
      open(run) {
        const found = new Map<string, number>();
        return {
          from(table) {
            const keyAt = overRows(table, fields, (row) => keyOfEvent(row, options));
            const bitsAt = filters.over(table, run);
            return (index) => {
              const key = keyAt(index);
              if (key === undefined) return;
              const known = found.get(key) ?? 0;
              const bits = bitsAt(index, known);
              if (bits === 0) return;
              if (known === 0) run.retain?.(textBytes(key));
              found.set(key, known | bits);
            };
          },
          result() {
            const complete = new Set<string>();
            for (const [key, bits] of found) if (bits === filters.all) complete.add(key);
            return complete;
          },
        };
      },
    };
    const isComplete = filterStep({
      over(table, run) {
        const complete = preparedResult<ReadonlySet<string>>(run, firstPass);
        const keyAt = overRows(table, fields, (row) => keyOfEvent(row, options));
        const bitsAt = filters.over(table, run);
        return (index) => {
          const key = keyAt(index);
          return key !== undefined && complete.has(key) && (!prefilter || bitsAt(index) !== 0);
        };
      },
    });
    return { ...isComplete, firstPass };
  },
});
