import { allTests, readsOfAll } from '../columns/column-test.ts';
import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { takeRows } from '../columns/table-rows.ts';
import type { Predicate } from '../compiler/scope.ts';
import type { RunScope } from '../run/run-context.ts';
import { type Emit, openSteps, type StreamStep } from './operator.ts';

/** A filter that looks at columns. */
type TableFilter = Predicate & Required<Pick<Predicate, 'inTable'>>;

/** Where events come out of the steps. */
export interface TableSink {
  /** Takes what the steps have made. */
  readonly push: Emit;
  /** The only fields of it that are looked at; `undefined` for any. */
  readonly reads: readonly string[] | undefined;
  /** Takes events that are as they were, where that can do without rows. */
  from?(table: EventTable): TakeEvent | undefined;
}

/**
 * Steps for the events of tables. The filters that they begin with look at columns; there are rows only of events that
 * come through them, with the fields that the steps after them look at, unless there are no more steps.
 */
export class TableSteps {
  readonly #filters: readonly TableFilter[];
  readonly #rest: readonly StreamStep[];
  readonly #reads: readonly string[] | undefined;
  readonly #run: RunScope;
  readonly #sink: TableSink;
  #input: Emit | undefined;

  constructor(steps: readonly StreamStep[], run: RunScope, sink: TableSink) {
    this.#filters = leadingFilters(steps);
    this.#rest = steps.slice(this.#filters.length);
    this.#reads = readsOfAll([...this.#rest, sink]);
    this.#run = run;
    this.#sink = sink;
  }

  /** What takes the events of a table; `undefined` when none of them comes through. */
  from(table: EventTable): TakeEvent | undefined {
    const test = allTests(this.#filters.map((filter) => filter.inTable(table)));
    if (test === false) return undefined;
    const take = this.#takeRest(table);
    if (test === true || take === undefined) return take;
    return (index) => {
      if (test(index)) take(index);
    };
  }

  #takeRest(table: EventTable): TakeEvent | undefined {
    if (this.#rest.length === 0 && this.#sink.from !== undefined) return this.#sink.from(table);
    // Rows of some fields are made for these steps alone.
    const isOwned = this.#reads !== undefined;
    this.#input ??= openSteps(this.#rest, this.#run, this.#sink.push, isOwned);
    return takeRows(table, this.#reads, this.#input);
  }
}

function leadingFilters(steps: readonly StreamStep[]): TableFilter[] {
  const filters: TableFilter[] = [];
  for (const { filter } of steps) {
    if (filter?.inTable === undefined) break;
    filters.push(filter as TableFilter);
  }
  return filters;
}
