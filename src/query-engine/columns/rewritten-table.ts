import type { Fields } from '../event.ts';
import type { StreamStep } from '../operators/operator.ts';
import type { RunScope } from '../run/run-context.ts';
import { toNumber } from '../value.ts';
import { AssignedColumn } from './assigned-column.ts';
import { ChangedTable } from './changed-table.ts';
import type { EventTest } from './column-test.ts';
import type { Column, DistinctTexts, EventTable } from './event-table.ts';
import { matched } from './matched-table.ts';
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
    return { test: true, table: new ChangedTable(table, new Map([[target, column]])) };
  }
  if (computed.ids === undefined && step.extracts !== undefined) return matched(table, step.extracts);
  return {
    test: step.keepsAll ? true : (index) => computed.at(index) !== undefined,
    table: new ChangedTable(
      table,
      new Map(rewrites.map((name) => [name, new RewrittenColumn(name, computed)])),
    ),
  };
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
    return (index) => toNumber(this.at(index)) ?? Number.NaN;
  }
}
