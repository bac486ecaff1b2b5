import { rowOfValues } from '../aggregates/result-rows.ts';
import { RowsByTime } from '../aggregates/rows-by-time.ts';
import { ChangedTable } from '../columns/changed-table.ts';
import { type Fields, readField, readNumber } from '../event.ts';
import { type RowAccumulator, rowAggregate, rowStep } from '../operators/row-code.ts';
import { rowBytes, textBytes } from '../run/memory-estimate.ts';
import { DEFAULT_ROWS, MAX_ROWS } from '../run/row-limits.ts';
import type { RunScope } from '../run/run-context.ts';
import { fieldName, fieldNames, limit, listOf, text } from '../signature/argument-types.ts';
import { define, type FunctionSpec, required, unnamed, withDefault } from '../signature/function-spec.ts';

/** Drops all events and creates new ones from the given strings. */
export const createEvents = define.aggregate({
  name: 'createEvents',
  parameters: { rawstring: unnamed(listOf(text)) },
  compile: ({ rawstring: texts }) =>
    rowAggregate({
      ignoresInput: true,
      columns: () => undefined,
      open: (run) => ({
        push() {},
        rows: () => texts.map((rawstring) => ({ '@rawstring': rawstring, '@timestamp': String(run.now) })),
      }),
    }),
});

/** Emits each event and a copy of it with another `#type`. */
export const copyEvent = define.transform({
  name: 'copyEvent',
  uncertain: ['The copy follows the original event.'],
  parameters: { type: unnamed(text) },
  compile: ({ type }) =>
    rowStep(
      (_run, emit) => (row) => {
        emit(row);
        emit({ ...row, '#type': type });
      },
      ['#type'],
    ),
});

/** The oldest events by `@timestamp`, oldest first. Of rows without a time, the first ones. */
export const head = defineRowsByTime('head', 'oldest', [
  'A row without `@timestamp` gets the time of the preceding row.',
]);

/** The newest events by `@timestamp`, newest first. Of rows without a time, the last ones. */
export const tail = defineRowsByTime('tail', 'newest', ['The newest event is the first row.']);

function defineRowsByTime(
  name: string,
  keeps: 'oldest' | 'newest',
  uncertain: readonly string[],
): FunctionSpec {
  return define.aggregate({
    name,
    uncertain,
    parameters: { limit: withDefault(limit({ max: MAX_ROWS }), DEFAULT_ROWS, { unnamed: true }) },
    compile: ({ limit: maxRows }) => ({
      columns: (before) => before,
      open(run) {
        const kept = new RowsByTime(keeps, maxRows);
        return {
          from: (table) => kept.from(table, (row) => run.retain?.(rowBytes(row))),
          *rows() {
            const rows = yield* kept.oldestFirst();
            return keeps === 'oldest' ? rows : rows.reverse();
          },
        };
      },
    }),
  });
}

/** For each field, the value of the newest event that has it; of several with the same time, the last one. */
export const selectLast = define.aggregate({
  name: 'selectLast',
  parameters: { fields: required(fieldNames, { unnamed: true, aliases: ['field'] }) },
  compile: ({ fields }) =>
    rowAggregate({
      columns: () => fields,
      reads: ['@timestamp', ...fields],
      open: (run) => newestValues(fields, run),
    }),
});

function newestValues(fields: readonly string[], run: RunScope): RowAccumulator {
  const values: (string | undefined)[] = fields.map(() => undefined);
  const times = fields.map(() => Number.NEGATIVE_INFINITY);
  let latest = Number.NEGATIVE_INFINITY;
  return {
    push(row) {
      latest = readNumber(row, '@timestamp') ?? latest;
      for (let index = 0; index < fields.length; index += 1) {
        const value = readField(row, fields[index]!);
        if (value === undefined || latest < times[index]!) continue;
        if (values[index] === undefined) run.retain?.(textBytes(value));
        values[index] = value;
        times[index] = latest;
      }
    },
    rows: () => (values.every((value) => value === undefined) ? [] : [rowOfValues(fields, values)]),
  };
}

/** Fields of the event with the smallest number in a field; the first one if there are several. */
export const selectFromMin = defineSelectFrom('selectFromMin', (number, best) => number < best);

/** Fields of the event with the largest number in a field; the first one if there are several. */
export const selectFromMax = defineSelectFrom('selectFromMax', (number, best) => number > best);

/** The names of all fields, one per row. */
export const fieldset = define.aggregate({
  name: 'fieldset',
  parameters: {},
  compile: () =>
    rowAggregate({
      columns: () => ['field'],
      open() {
        const names = new Set<string>();
        return {
          push(row) {
            for (const name in row) names.add(name);
          },
          rows: () => [...names].sort().map((name) => ({ field: name })),
        };
      },
    }),
});

/** Keeps fields of the event whose number `beats` all others. */
function defineSelectFrom(name: string, beats: (number: number, best: number) => boolean): FunctionSpec {
  return define.aggregate({
    name,
    parameters: { field: unnamed(fieldName), include: required(fieldNames) },
    compile({ field, include }) {
      const includesAll = include.includes('*');
      return {
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
