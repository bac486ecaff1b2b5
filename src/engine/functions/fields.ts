import { ChangedTable, missingColumn } from '../columns/changed-table.ts';
import { computedValues } from '../columns/computed.ts';
import { computed } from '../columns/expression.ts';
import { rowExpression } from '../columns/row-view.ts';
import { readField, writeField } from '../event.ts';
import {
  type Assignment,
  assignmentStep,
  dropStep,
  selectStep,
  stepsInOne,
  tableStep,
} from '../operators/field-steps.ts';
import type { StreamStep } from '../operators/operator.ts';
import { editStep, unknownColumns } from '../operators/row-code.ts';
import {
  expression,
  expressions,
  fieldName,
  fieldNames,
  fieldOrPairs,
  flag,
  text,
} from '../signature/argument-types.ts';
import {
  define,
  type FunctionSpec,
  optional,
  required,
  unnamed,
  withDefault,
} from '../signature/function-spec.ts';
import { joinTexts } from '../text/text-limit.ts';
import { toBoolean, toText } from '../value.ts';

/** `eval(a = x + 1, b = a * 2)`: assignments from left to right. */
export const evalFunction: FunctionSpec = {
  ...define.transform({ name: 'eval', parameters: {}, compile: () => assignmentStep([]) }),
  anyNameType: expression,
  compile: ({ others }) => ({ kind: 'transform', step: assignmentStep(others as readonly Assignment[]) }),
};

/** Keeps only the given fields. */
export const select = define.transform({
  name: 'select',
  parameters: { fields: required(fieldNames, { unnamed: true, aliases: ['field'] }) },
  compile: ({ fields }) => selectStep(fields),
});

/** Removes fields. */
export const drop = define.transform({
  name: 'drop',
  parameters: { fields: required(fieldNames, { unnamed: true, aliases: ['field'] }) },
  compile: ({ fields }) => dropStep(fields),
});

type Pair = readonly [from: string, to: string];

/** Renames fields. Missing fields are ignored. */
export const rename = define.transform({
  name: 'rename',
  uncertain: ['If the field is missing, an existing target field keeps its value.'],
  parameters: { field: unnamed(fieldOrPairs), as: optional(fieldName) },
  compile({ field, as }, call) {
    const pairs: readonly Pair[] = typeof field === 'string' ? [[field, as ?? '']] : field;
    if ((typeof field === 'string') === (as === undefined)) {
      const problem =
        as === undefined
          ? 'rename() needs the parameter "as": the new name'
          : 'rename() accepts either pairs of names or one field with "as"';
      return call.fail(problem, 'as');
    }
    return stepsInOne(pairs.filter(([from, to]) => from !== to).map(renameStep));
  },
});

function renameStep([from, to]: Pair): StreamStep {
  return tableStep(
    (table) => {
      const [source, target] = [table.column(from), table.column(to)];
      const columns = new Map([
        [from, missingColumn],
        [to, computedValues((index) => source.at(index) ?? target.at(index))],
      ]);
      return new ChangedTable(table, columns);
    },
    (before) =>
      before?.includes(from)
        ? before.filter((name) => name !== to).map((name) => (name === from ? to : name))
        : before,
  );
}

/** Sets a default value for missing fields. */
export const defaultFunction = define.transform({
  name: 'default',
  parameters: { value: unnamed(text), field: required(fieldNames), replaceEmpty: withDefault(flag, false) },
  compile: ({ value, field, replaceEmpty }) =>
    assignmentStep(
      field.map((name) => ({
        name,
        value: rowExpression(
          (row) => {
            const current = readField(row, name);
            return current === undefined || (replaceEmpty && current === '') ? value : undefined;
          },
          [name],
        ),
      })),
    ),
});

/** The first value that is not null and, by default, not empty. */
export const coalesce = define.value({
  name: 'coalesce',
  parameters: { expressions: unnamed(expressions), ignoreEmpty: withDefault(flag, true) },
  compile: ({ expressions: candidates, ignoreEmpty }) =>
    computed(candidates, (...values) =>
      values.find((value) => value !== undefined && !(ignoreEmpty && value === '')),
    ),
});

/** Concatenates the values of fields. Skips missing fields. */
export const concat = define.value({
  name: 'concat',
  uncertain: ['Missing fields are skipped.'],
  parameters: { field: unnamed(fieldNames) },
  compile:
    ({ field }) =>
    (row) =>
      joinTexts(field.map((name) => readField(row, name) ?? '')),
});

/** One of two values, by a condition. Null counts as false. */
export const ifFunction = define.value({
  name: 'if',
  uncertain: ['A null condition counts as false.'],
  parameters: {
    condition: unnamed(expression),
    // biome-ignore lint/suspicious/noThenProperty: the language calls it so, and nothing awaits a parameter list.
    then: required(expression),
    else: required(expression),
  },
  compile(args) {
    const { condition, then: whenTrue, else: otherwise } = args;
    return computed([condition, whenTrue, otherwise], (isMet, yes, no) =>
      toBoolean(isMet) === true ? yes : no,
    );
  },
});

/** The value of a field whose name is an expression. */
export const getField = define.value({
  name: 'getField',
  parameters: { source: unnamed(expression) },
  compile: ({ source }) => ({
    over(table, run) {
      const names = source.over(table, run);
      return computedValues((index) => {
        const name = toText(names.at(index));
        return name === undefined ? undefined : readField(table.row(index), name);
      });
    },
  }),
});

/** Sets a field whose name is an expression. */
export const setField = define.transform({
  name: 'setField',
  parameters: { target: required(expression), value: required(expression) },
  compile: ({ target, value }) =>
    editStep(
      (row, _run, [name, content]) => {
        const [field, text] = [toText(name), toText(content)];
        if (field !== undefined && text !== undefined) writeField(row, field, text);
      },
      unknownColumns,
      [target, value],
    ),
});

/** Number of fields without tags. */
export const eventFieldCount = define.value({
  name: 'eventFieldCount',
  parameters: {},
  compile: () => (row) => {
    let count = 0;
    for (const name in row) {
      if (!name.startsWith('#')) count += 1;
    }
    return count;
  },
});

/** Total size of all values in bytes, without field names. */
export const eventSize = define.value({
  name: 'eventSize',
  partial: ['The size is the total number of UTF-8 bytes in the values, not the stored size.'],
  parameters: {},
  compile: () => (row) => {
    let bytes = 0;
    for (const name in row) bytes += Buffer.byteLength(readField(row, name) ?? '', 'utf8');
    return bytes;
  },
});
