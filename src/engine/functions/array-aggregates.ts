import { arrayName, elementCondition, elementSteps } from '../arrays/array-arguments.ts';
import {
  ArrayFields,
  type Element,
  fieldsWithoutArray,
  readElements,
  readSparseElements,
  rowOf,
  withoutBrackets,
} from '../arrays/array-fields.ts';
import { ElementFunction } from '../arrays/element-function.ts';
import { somePasses } from '../columns/column-test.ts';
import { rowInput } from '../columns/row-table.ts';
import { type Fields, readField, writeField } from '../event.ts';
import { type Accumulator, allRows, withColumns } from '../operators/operator.ts';
import { editStep, rowAggregate, rowStep, unknownColumns } from '../operators/row-code.ts';
import { groupBytes, textBytes } from '../run/memory-estimate.ts';
import { MAX_ROWS } from '../run/row-limits.ts';
import type { RunScope } from '../run/run-context.ts';
import { ITEMS_PER_STEP, type SlicedWork } from '../run/sliced-sort.ts';
import { aggregates, fieldName } from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import { define, optional, required, unnamed, withDefault } from '../signature/function-spec.ts';

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
  parameters: { array: unnamed(arrayName), as: withDefault(fieldName, '_intersection') },
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
  parameters: { array: unnamed(arrayName), as: withDefault(fieldName, '_union') },
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

const reduceParameters = {
  array: unnamed(arrayName),
  function: required(aggregates),
  var: required(fieldName),
};

/** Aggregates over all elements of an array in all events. Each element has the other fields of its event. */
export const arrayReduceAll = define.aggregate({
  name: 'array:reduceAll',
  uncertain: [
    'The aggregate sees each element together with the other fields of its event, except the array itself.',
  ],
  parameters: reduceParameters,
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
  parameters: { ...reduceParameters, as: withDefault(fieldName, '_reduceColumn') },
  compile: ({ array, function: aggregate, var: variable, as }) =>
    rowAggregate({
      columns: () => undefined,
      open(run) {
        const name = withoutBrackets(as);
        // Default names start with an underscore.
        const [only, ...others] = aggregate.columns([variable]) ?? [];
        const lone = others.length === 0 && only?.startsWith('_') ? only : undefined;
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
          rows() {
            const rows: Fields[] = [];
            for (const [index, column] of accumulators.map(allRows).entries()) {
              const element = `${name}[${index}]`;
              for (const [position, result] of column.entries()) {
                rows[position] ??= {};
                for (const [output, value] of Object.entries(result))
                  writeField(rows[position], output === lone ? element : `${element}.${output}`, value);
              }
            }
            return rows;
          },
        };
      },
    }),
});

/** Aggregates the elements of an array within each event: `_avg` for `avg()`, `<as>._avg` with `as`. */
export const arrayReduceRow = define.transform({
  name: 'array:reduceRow',
  uncertain: ['`as` is a prefix for the names of the output fields.'],
  parameters: { ...reduceParameters, as: optional(fieldName) },
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

/**
 * Elements of an array of objects are addressed as `x.key` and `x[0]`, so `x` itself must contain none of these
 * characters.
 */
function checkObjectVariable(variable: string | undefined, call: CallSite): void {
  if (variable === undefined || !/[.[\]]/.test(variable)) return;
  call.fail('"var" must be a plain name, without dots and brackets', 'var');
}

/** Writes the outputs of the elements, if there are any. */
function mapping(apply: ElementFunction, output: ArrayFields, read: (row: Fields) => readonly Element[]) {
  return editStep((row, run) => {
    const elements = read(row);
    if (elements.length === 0) return;
    const inner = apply.begin(row, run);
    const results = elements.flatMap((element) => inner.apply(element)?.output ?? []);
    output.replace(row, results);
  }, unknownColumns);
}

/**
 * Maps the elements of an array: the steps write the result to the field named like the output. Elements without a
 * result are skipped, so the output has no gaps.
 */
export const arrayEval = define.transform({
  name: 'array:eval',
  parameters: {
    array: unnamed(arrayName),
    function: required(elementSteps('function')),
    var: optional(fieldName),
    asArray: optional(arrayName),
  },
  compile({ array, function: steps, var: variable, asArray = array }) {
    const apply = new ElementFunction(steps, { array, variable, output: asArray.name });
    return mapping(apply, asArray, (row) => array.valuesIn(row).map((value) => [['', value]]));
  },
});

const existsParameters = {
  array: unnamed(arrayName),
  condition: required(elementCondition('condition')),
  var: optional(fieldName),
};

/** Keeps events in whose array an element satisfies a condition. The condition can use other fields, too. */
export const arrayExists = define.filter({
  name: 'array:exists',
  parameters: existsParameters,
  compile({ array, condition, var: variable }) {
    const accepts = new ElementFunction(condition, { array, variable });
    return {
      test(row, run) {
        if (readField(row, array.fieldAt(0)) === undefined) return false;
        const elements = accepts.begin(row, run);
        return somePasses((passes) => array.some(row, (value) => passes(elements.test([['', value]]))));
      },
    };
  },
});

/** Keeps the elements that pass a filter, without gaps. */
export const arrayFilter = define.transform({
  name: 'array:filter',
  uncertain: ['The result replaces all elements of an existing target array.'],
  parameters: {
    array: unnamed(arrayName),
    function: required(elementCondition('function')),
    var: optional(fieldName),
    asArray: optional(arrayName),
  },
  compile({ array, function: steps, var: variable, asArray = array }) {
    const accepts = new ElementFunction(steps, { array, variable });
    return editStep((row, run) => {
      const values = array.valuesIn(row);
      if (values.length === 0) return;
      const elements = accepts.begin(row, run);
      asArray.replace(
        row,
        values.filter((value) => elements.apply([['', value]]) !== undefined),
      );
    }, unknownColumns);
  },
});

/**
 * Maps the elements of an array of objects: the steps write the result to the field named like the output. Missing
 * elements and those without a result are skipped, so the output has no gaps.
 */
export const objectArrayEval = define.transform({
  name: 'objectArray:eval',
  parameters: {
    array: unnamed(arrayName),
    asArray: required(arrayName),
    function: required(elementSteps('function')),
    var: optional(fieldName),
  },
  compile({ array, asArray, function: steps, var: variable }, call) {
    checkObjectVariable(variable, call);
    if (asArray.name === array.name) {
      const hint = 'set "asArray" to another name';
      call.fail(`objectArray:eval() can't overwrite the array that it reads: ${hint}`, 'asArray');
    }
    const apply = new ElementFunction(steps, { array, variable, output: asArray.name });
    return mapping(apply, asArray, (row) => readSparseElements(row, array.name));
  },
});

/** Keeps events in whose array of objects an element satisfies a condition: `x.key` is a member of the element `x`. */
export const objectArrayExists = define.filter({
  name: 'objectArray:exists',
  parameters: existsParameters,
  compile({ array, condition, var: variable }, call) {
    checkObjectVariable(variable, call);
    const accepts = new ElementFunction(condition, { array, variable });
    return {
      test(row, run) {
        const elements = readElements(row, array.name);
        if (elements.length === 0) return false;
        const inner = accepts.begin(row, run);
        return somePasses((passes) => elements.some((element) => passes(inner.test(element))));
      },
    };
  },
});
