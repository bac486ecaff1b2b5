import { arrayName } from '../arrays/array-arguments.ts';
import { ArrayFields, fieldsWithoutArray, rowOf, withoutBrackets } from '../arrays/array-fields.ts';
import { rowInput } from '../columns/row-table.ts';
import { type Fields, writeField } from '../event.ts';
import { type Accumulator, allRows, type Columns, withColumns } from '../operators/operator.ts';
import { rowAggregate, rowStep } from '../operators/row-code.ts';
import { groupBytes, textBytes } from '../run/memory-estimate.ts';
import { MAX_ROWS } from '../run/row-limits.ts';
import type { RunScope } from '../run/run-context.ts';
import { ITEMS_PER_STEP, type SlicedWork } from '../run/sliced-sort.ts';
import { aggregates, fieldName } from '../signature/argument-types.ts';
import { define, optional, required, withDefault } from '../signature/function-spec.ts';

/**
 * One row per array element: the event without the array, and the element as the field `variable`.
 *
 * Omitting the array keeps the work proportional to the size of the event.
 */
function elementRows(row: Fields, array: ArrayFields, variable: string): Fields[] {
  const values = array.valuesIn(row);
  if (values.length === 0) return [];
  const others = fieldsWithoutArray(row, array.name);
  return values.map((value) => {
    const element = rowOf(others);
    writeField(element, variable, value);
    return element;
  });
}

/** The elements that occur in the array of every event, as one array. Events without the array are ignored. */
export const arrayIntersection = define.aggregate({
  name: 'array:intersection',
  parameters: { array: required(arrayName, { unnamed: true }), as: withDefault(fieldName, '_intersection') },
  compile: ({ array, as }) =>
    rowAggregate({
      columns: () => undefined,
      open() {
        let common: Set<string> | undefined;
        return {
          push(row) {
            if (common?.size === 0) return;
            const values = array.valuesIn(row);
            if (values.length === 0) return;
            common = new Set(common === undefined ? values : values.filter((value) => common?.has(value)));
          },
          rows: () => arrayRow(as, common ?? new Set()),
        };
      },
    }),
});

/** The elements that occur in the array of any event, as one array in order of appearance. */
export const arrayUnion = define.aggregate({
  name: 'array:union',
  parameters: { array: required(arrayName, { unnamed: true }), as: withDefault(fieldName, '_union') },
  compile: ({ array, as }) =>
    rowAggregate({
      columns: () => undefined,
      open(run) {
        const values = new Set<string>();
        return {
          push(row) {
            array.some(row, (value) => {
              if (values.has(value)) return false;
              if (values.size < MAX_ROWS) {
                values.add(value);
                run.retain?.(textBytes(value));
              } else run.warn(`array:union() keeps at most ${MAX_ROWS} different elements.`);
              return false;
            });
          },
          rows: () => arrayRow(as, values),
        };
      },
    }),
});

/** A row with only an array; no row for an empty array. */
function* arrayRow(name: string, values: ReadonlySet<string>): SlicedWork<readonly Fields[]> {
  if (values.size === 0) return [];
  const row: Fields = {};
  const array = new ArrayFields(withoutBrackets(name));
  let index = 0;
  for (const value of values) {
    writeField(row, array.fieldAt(index), value);
    index += 1;
    if (index % ITEMS_PER_STEP === 0) yield;
  }
  return [row];
}

/** Aggregates over all elements of an array in all events. Each element has the other fields of its event. */
export const arrayReduceAll = define.aggregate({
  name: 'array:reduceAll',
  uncertain: [
    'The aggregate sees each element together with the other fields of its event, except the array itself.',
  ],
  parameters: {
    array: required(arrayName, { unnamed: true }),
    function: required(aggregates),
    var: required(fieldName),
  },
  compile: ({ array, function: aggregate, var: variable }) =>
    rowAggregate({
      columns: (before) => aggregate.columns(withColumns(before, [variable])),
      open(run) {
        const accumulator = aggregate.open(run);
        const push = rowInput(accumulator);
        return {
          push(row) {
            for (const element of elementRows(row, array, variable)) push(element);
          },
          rows: () => accumulator.rows(),
        };
      },
    }),
});

/**
 * Aggregates each index of an array over all events: `_reduceColumn[0]` for `avg()`. If the aggregate returns several
 * rows, row n of the result has the n-th row of each index.
 */
export const arrayReduceColumn = define.aggregate({
  name: 'array:reduceColumn',
  uncertain: [
    'A single function with a default output name writes the element itself, such as `_reduceColumn[0]` for `avg(x)`. Other outputs are members of the element, such as `_reduceColumn[0].time` for `{ time := max(x) }`.',
  ],
  parameters: {
    array: required(arrayName, { unnamed: true }),
    function: required(aggregates),
    var: required(fieldName),
    as: withDefault(fieldName, '_reduceColumn'),
  },
  compile: ({ array, function: aggregate, var: variable, as }) =>
    rowAggregate({
      columns: () => undefined,
      open(run) {
        const name = withoutBrackets(as);
        const lone = loneOutput(aggregate.columns([variable]));
        const accumulators: Accumulator[] = [];
        const inputs: ((element: Fields) => void)[] = [];
        return {
          push(row) {
            for (const [index, element] of elementRows(row, array, variable).entries()) {
              if (index === accumulators.length) {
                const accumulator = aggregate.open(run);
                accumulators.push(accumulator);
                inputs.push(rowInput(accumulator));
                run.retain?.(groupBytes([]));
              }
              inputs[index]!(element);
            }
          },
          rows: () =>
            mergeColumns(accumulators.map(allRows), (index, output) =>
              output === lone ? `${name}[${index}]` : `${name}[${index}].${output}`,
            ),
        };
      },
    }),
});

/** The only output, if it has its default name: default names start with an underscore. */
function loneOutput(outputs: Columns): string | undefined {
  const [only, ...others] = outputs ?? [];
  return others.length === 0 && only?.startsWith('_') ? only : undefined;
}

function mergeColumns(
  columns: readonly (readonly Fields[])[],
  nameOf: (index: number, output: string) => string,
): Fields[] {
  const rows: Fields[] = [];
  for (const [index, column] of columns.entries()) {
    for (const [position, result] of column.entries()) {
      const row = rows[position] ?? {};
      rows[position] = row;
      for (const [output, value] of Object.entries(result)) writeField(row, nameOf(index, output), value);
    }
  }
  return rows;
}

/** Aggregates the elements of an array within each event: `_avg` for `avg()`, `<as>._avg` with `as`. */
export const arrayReduceRow = define.transform({
  name: 'array:reduceRow',
  uncertain: ['`as` is a prefix for the names of the output fields.'],
  parameters: {
    array: required(arrayName, { unnamed: true }),
    function: required(aggregates),
    var: required(fieldName),
    as: optional(fieldName),
  },
  compile({ array, function: aggregate, var: variable, as }) {
    const outputs = aggregate.columns([variable]) ?? [];
    const prefix = as === undefined ? '' : `${as}.`;
    return rowStep(
      (run, emit) => {
        // The aggregate's memory is freed with the event.
        const inner: RunScope = Object.assign(Object.create(run), { retain: undefined });
        return (row) => {
          const accumulator = aggregate.open(inner);
          elementRows(row, array, variable).forEach(rowInput(accumulator));
          const [result = {}] = allRows(accumulator);
          for (const [name, value] of Object.entries(result)) writeField(row, `${prefix}${name}`, value);
          emit(row);
        };
      },
      outputs.map((name) => `${prefix}${name}`),
    );
  },
});
