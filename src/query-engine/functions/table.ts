import { pickFields } from '../aggregates/pick-fields.ts';
import type { Fields } from '../event.ts';
import { slicedRows } from '../operators/operator.ts';
import { ITEMS_PER_STEP } from '../run/sliced-sort.ts';
import { fieldNames } from '../signature/argument-types.ts';
import { defineAggregate, required, withDefault } from '../signature/function-spec.ts';
import { sortColumns, sortParameters, sortStep } from './sort.ts';

/** The given columns of the rows, sorted, the newest events first unless told otherwise. */
export const table = defineAggregate({
  name: 'table',
  parameters: {
    fields: required(fieldNames, { unnamed: true, aliases: ['field'] }),
    sortby: withDefault(fieldNames, ['@timestamp']),
    ...sortParameters,
  },
  compile({ fields, sortby, limit: maxRows, ...how }, call) {
    const columns = sortColumns(sortby, how, call);
    const sorted = sortStep(columns, { maxRows, isOwnLimit: call.has('limit'), name: 'table' });
    return {
      columns: () => fields,
      reads: [...fields, ...sortby],
      open(run) {
        const accumulator = sorted.open(run);
        return {
          from: (events) => accumulator.from(events),
          *rows() {
            const rows: Fields[] = [];
            for (const row of yield* slicedRows(accumulator)) {
              rows.push(pickFields(row, fields));
              if (rows.length % ITEMS_PER_STEP === 0) yield;
            }
            return rows;
          },
        };
      },
    };
  },
});
