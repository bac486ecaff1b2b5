import { allTests, type EventTest, readsOfAll } from '../columns/column-test.ts';
import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { isRewriting, type Rewriting, rewritten } from '../columns/rewritten-table.ts';
import { takeRows } from '../columns/table-rows.ts';
import type { Predicate } from '../compiler/scope.ts';
import type { RunScope } from '../run/run-context.ts';
import { type Emit, openSteps, type StreamStep } from './operator.ts';

/** A filter that looks at columns. */
type TableFilter = Predicate & Required<Pick<Predicate, 'inTable'>>;

/** What a step does that looks at columns. */
type TableStep = { readonly filter: TableFilter } | { readonly rewriting: Rewriting };

/** Where events come out of the steps. */
export interface TableSink {
  /** Takes what the steps have made. */
  readonly push: Emit;
  /** The only fields of it that are looked at; `undefined` for any. */
  readonly reads: readonly string[] | undefined;
  /** Whether it looks at nothing in the stored event either. @default false */
  readonly looksAtRowsOnly?: true;
  /** Takes events of a table, where that can do without rows. */
  from?(table: EventTable): TakeEvent | undefined;
}

/**
 * Steps for the events of tables. Those that they begin with look at columns as far as they can; there are rows only of
 * events that come through them, with the fields that the steps after them look at, unless there are no more steps.
 */
export class TableSteps {
  readonly #leading: readonly TableStep[];
  readonly #rest: readonly StreamStep[];
  readonly #reads: readonly string[] | undefined;
  readonly #run: RunScope;
  readonly #sink: TableSink;
  #input: Emit | undefined;

  constructor(steps: readonly StreamStep[], run: RunScope, sink: TableSink) {
    const all = leadingSteps(steps, true);
    const needsRows =
      all.length === steps.length
        ? sink.from === undefined && sink.reads === undefined
        : readsOf(steps.slice(all.length), sink) === undefined;
    // Whoever looks at whole events may as well change them.
    this.#leading = needsRows ? leadingSteps(steps, false) : all;
    this.#rest = steps.slice(this.#leading.length);
    this.#reads = readsOf(this.#rest, sink);
    this.#run = run;
    this.#sink = sink;
  }

  /** What takes the events of a table; `undefined` when none of them comes through. */
  from(table: EventTable): TakeEvent | undefined {
    const tests: EventTest[] = [];
    let current = table;
    for (const step of this.#leading) {
      if ('filter' in step) tests.push(step.filter.inTable(current, this.#run));
      else {
        const behind = rewritten(current, step.rewriting, this.#run);
        tests.push(behind.test);
        current = behind.table;
      }
      if (tests.at(-1) === false) return undefined;
    }
    const test = allTests(tests);
    const take = this.#takeRest(current);
    if (test === true || test === false || take === undefined) return take;
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

function leadingSteps(steps: readonly StreamStep[], mayRewrite: boolean): TableStep[] {
  const leading: TableStep[] = [];
  for (const step of steps) {
    if (step.filter?.inTable !== undefined) leading.push({ filter: step.filter as TableFilter });
    else if (mayRewrite && isRewriting(step)) leading.push({ rewriting: step });
    else break;
  }
  return leading;
}

/** The fields that steps and what follows them look at; `undefined` for any. */
function readsOf(steps: readonly StreamStep[], sink: TableSink): readonly string[] | undefined {
  // Behind a step that picks fields there are no others.
  const isPicked = sink.looksAtRowsOnly === true && steps.some(({ picks }) => picks);
  return readsOfAll(isPicked ? steps : [...steps, sink]);
}
