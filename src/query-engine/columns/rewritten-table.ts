import { copyFields, type Fields, setField } from '../event.ts';
import type { StreamStep } from '../operators/operator.ts';
import type { RunScope } from '../run/run-context.ts';
import { limitedText } from '../text/text-limit.ts';
import { parseNumber, toText, type Value } from '../value.ts';
import type { EventTest } from './column-test.ts';
import type { Column, DistinctTexts, EventTable } from './event-table.ts';
import { type ComputedOfFields, computedOfFields } from './once-for-values.ts';

/** A step whose events can be looked at without whole rows. */
export type Rewriting = StreamStep & Required<Pick<StreamStep, 'reads' | 'rewrites'>>;

/** Whether what a step makes of an event follows from some of its fields. */
export function isRewriting(step: StreamStep): step is Rewriting {
  // Tables know the time of an event without a column.
  return step.reads !== undefined && step.rewrites !== undefined && !step.rewrites.includes('@timestamp');
}

/** The events of a table behind a step. */
export interface RewrittenEvents {
  /** Whether the step hands an event on. */
  readonly test: EventTest;
  /** Only to be asked for events that the step hands on. */
  readonly table: EventTable;
}

/** Runs a step when somebody looks at what it makes of an event. */
export function rewritten(table: EventTable, step: Rewriting, run: RunScope): RewrittenEvents {
  const { reads = [], rewrites = [] } = step;
  let result: Fields | undefined;
  const input = step.open(
    run,
    (row) => {
      result = row;
    },
    true,
  );
  const computed = computedOfFields(table, [...new Set([...reads, ...rewrites])], (row) => {
    result = undefined;
    input(row, row);
    return result;
  });
  const [target] = rewrites;
  const { valuesIn, numbersIn } = step.assigns ?? {};
  if (computed.ids === undefined && target !== undefined && valuesIn && numbersIn) {
    const column = new AssignedColumn(table.column(target), valuesIn(table), () => numbersIn(table));
    return { test: true, table: new RewrittenTable(table, new Map([[target, column]])) };
  }
  return {
    test: step.keepsAll ? true : (index) => computed.at(index) !== undefined,
    table: new RewrittenTable(
      table,
      new Map(rewrites.map((name) => [name, new RewrittenColumn(name, computed)])),
    ),
  };
}

class RewrittenTable implements EventTable {
  readonly length: number;
  readonly stored: EventTable;
  readonly #before: EventTable;
  readonly #columns: ReadonlyMap<string, Column>;

  constructor(before: EventTable, columns: ReadonlyMap<string, Column>) {
    this.length = before.length;
    this.stored = before.stored;
    this.#before = before;
    this.#columns = columns;
  }

  column(name: string): Column {
    return this.#columns.get(name) ?? this.#before.column(name);
  }

  timeAt(index: number): number {
    return this.#before.timeAt(index);
  }

  row(index: number): Fields {
    const row = copyFields(this.#before.row(index));
    for (const [name, column] of this.#columns) {
      const value = column.at(index);
      if (value === undefined) delete row[name];
      else setField(row, name, value);
    }
    return row;
  }

  isInText(index: number): boolean {
    return this.#before.isInText(index);
  }
}

class RewrittenColumn implements Column {
  readonly distinct: DistinctTexts | undefined;
  readonly #name: string;
  readonly #results: ComputedOfFields<Fields | undefined>;

  constructor(name: string, results: ComputedOfFields<Fields | undefined>) {
    const { ids } = results;
    this.#name = name;
    this.#results = results;
    this.distinct = ids && { count: ids.end, idAt: ids.at };
  }

  at(index: number): string | undefined {
    const result = this.#results.at(index);
    return result !== undefined && Object.hasOwn(result, this.#name) ? result[this.#name] : undefined;
  }

  numberReader(): (index: number) => number {
    return (index) => {
      const value = this.at(index);
      return (value === undefined ? undefined : parseNumber(value)) ?? Number.NaN;
    };
  }
}

/** A field that has been set to the values of an expression, where it has any. */
class AssignedColumn implements Column {
  readonly distinct = undefined;
  readonly #before: Column;
  readonly #valueAt: (index: number) => Value;
  readonly #readNumbers: () => (index: number) => number;

  constructor(
    before: Column,
    valueAt: (index: number) => Value,
    readNumbers: () => (index: number) => number,
  ) {
    this.#before = before;
    this.#valueAt = valueAt;
    this.#readNumbers = readNumbers;
  }

  at(index: number): string | undefined {
    const text = toText(this.#valueAt(index));
    return text === undefined ? this.#before.at(index) : limitedText(text);
  }

  numberReader(): (index: number) => number {
    const assignedAt = this.#readNumbers();
    const beforeAt = this.#before.numberReader();
    return (index) => {
      const number = assignedAt(index);
      if (!Number.isNaN(number)) return number === 0 ? 0 : number;
      // What is no number may still be a text, which is no number either.
      return this.#valueAt(index) === undefined ? beforeAt(index) : Number.NaN;
    };
  }
}
