import { keyRow } from '../aggregates/groups.ts';
import { RowsByTime } from '../aggregates/rows-by-time.ts';
import { defineSelectFrom } from '../aggregates/select-from-extreme.ts';
import { type Fields, readField } from '../event.ts';
import { withColumns } from '../operators/operator.ts';
import { type RowAccumulator, rowAggregate, rowStep } from '../operators/row-code.ts';
import { rowBytes, textBytes } from '../run/memory-estimate.ts';
import { DEFAULT_ROWS, MAX_ROWS } from '../run/row-limits.ts';
import type { RunScope } from '../run/run-context.ts';
import { fieldNames, limit, listOf, text } from '../signature/argument-types.ts';
import {
  defineAggregate,
  defineTransform,
  type FunctionSpec,
  required,
  withDefault,
} from '../signature/function-spec.ts';
import { timeOf } from '../time/event-time.ts';

/** Drops all events and creates new ones from the given strings. */
export const createEvents = defineAggregate({
  name: 'createEvents',
  parameters: { rawstring: required(listOf(text, 'strings'), { unnamed: true }) },
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
export const copyEvent = defineTransform({
  name: 'copyEvent',
  uncertain: ['The copy follows the original event.'],
  parameters: { type: required(text, { unnamed: true }) },
  compile: ({ type }) =>
    rowStep(
      (_run, emit) => (row) => {
        emit(row);
        emit({ ...row, '#type': type });
      },
      (before) => withColumns(before, ['#type']),
    ),
});

/** The oldest events by `@timestamp`, the oldest first. Of rows without a time, the first ones. */
export const head = defineRowsByTime('head', 'oldest', [
  'A row without `@timestamp` gets the time of the preceding row.',
]);

/** The newest events by `@timestamp`, the newest first. Of rows without a time, the last ones. */
export const tail = defineRowsByTime('tail', 'newest', ['The newest event is the first row.']);

function defineRowsByTime(
  name: string,
  keeps: 'oldest' | 'newest',
  uncertain: readonly string[],
): FunctionSpec {
  return defineAggregate({
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

/** For each field the value of the newest event that has it; of several with the same time, the last. */
export const selectLast = defineAggregate({
  name: 'selectLast',
  parameters: { fields: required(fieldNames, { unnamed: true, aliases: ['field'] }) },
  compile: ({ fields }) =>
    rowAggregate({
      columns: () => fields,
      reads: ['@timestamp', ...fields],
      open: (run) => new SelectLast(fields, run),
    }),
});

class SelectLast implements RowAccumulator {
  readonly #run: RunScope;
  readonly #fields: readonly string[];
  readonly #values: (string | undefined)[];
  readonly #times: number[];
  #latest = Number.NEGATIVE_INFINITY;

  constructor(fields: readonly string[], run: RunScope) {
    this.#fields = fields;
    this.#run = run;
    this.#values = fields.map(() => undefined);
    this.#times = fields.map(() => Number.NEGATIVE_INFINITY);
  }

  push(row: Fields): void {
    const time = timeOf(row) ?? this.#latest;
    this.#latest = time;
    for (let index = 0; index < this.#fields.length; index += 1) {
      const value = readField(row, this.#fields[index]!);
      if (value === undefined || time < this.#times[index]!) continue;
      if (this.#values[index] === undefined) this.#run.retain?.(textBytes(value));
      this.#values[index] = value;
      this.#times[index] = time;
    }
  }

  rows(): readonly Fields[] {
    return this.#values.every((value) => value === undefined) ? [] : [keyRow(this.#fields, this.#values)];
  }
}

/** Fields of the event with the smallest number in a field; of several, the first. */
export const selectFromMin = defineSelectFrom('selectFromMin', (number, best) => number < best);

/** Fields of the event with the largest number in a field; of several, the first. */
export const selectFromMax = defineSelectFrom('selectFromMax', (number, best) => number > best);

/** The names of all fields that occur, one in a row. */
export const fieldset = defineAggregate({
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
