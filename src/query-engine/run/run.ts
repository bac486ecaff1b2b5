import type { EventTable, Sink, TakeEvent } from '../columns/event-table.ts';
import { rowInput } from '../columns/row-table.ts';
import type { Fields } from '../event.ts';
import {
  type Accumulator,
  type AggregateStep,
  type Columns,
  openSteps,
  type StreamStep,
  slicedRows,
} from '../operators/operator.ts';
import type { RunContext } from './run-context.ts';
import { newScope } from './run-scope.ts';
import { finish, type SlicedWork } from './sliced-sort.ts';

/** One execution of a query. Events are pushed in ascending order of `@timestamp`, equal ones as they arrived. */
export interface Run extends Sink {
  /** Takes an event, and never changes it. */
  push(event: Fields): void;
  /** The result so far. May be read any number of times. The rows may be shared with events: don't change them. */
  rows(): readonly Fields[];
  /** The same as `rows()`, made bit by bit. Nothing may be pushed in between. */
  slicedRows(): SlicedWork<readonly Fields[]>;
  /** Whether the result depends on the interval or the time of the query, by what has been asked for so far. */
  readonly dependsOnTime: boolean;
  /** The columns of the result in order, `undefined` when it consists of events. */
  readonly fieldOrder: readonly string[] | undefined;
  /** What else there is to know about the result, such as `hasMoreEvents`. Current as of the last `rows()`. */
  readonly extraData: Readonly<Record<string, string>>;
  /** Why the result is incomplete, if it is. Current as of the last `rows()`. */
  readonly warnings: readonly string[];
}

/** One execution of a query whose events are handed on as they come. */
export interface EventStream extends Sink {
  /** Takes an event, and never changes it. */
  push(event: Fields): void;
  /** Whether what it hands on depends on the interval or the time of the query, by what has been asked for so far. */
  readonly dependsOnTime: boolean;
}

/** @param warnings what is known to be incomplete before there is an event. */
export function startRun(step: AggregateStep, context: RunContext, warnings: ReadonlySet<string>): Run {
  return new CollectingRun(step, context, warnings);
}

/** Streams have no place for warnings. All that a filter query can warn of is a limit that is too high. */
export function startStream(steps: readonly StreamStep[], sink: Sink, context: RunContext): EventStream {
  let dependsOnTime = false;
  const scope = newScope(
    context,
    () => {},
    () => {
      dependsOnTime = true;
    },
  );
  const input = openSteps(steps, scope, sink);
  return {
    push: rowInput(input),
    from: (table) => input.from(table),
    get dependsOnTime() {
      return dependsOnTime;
    },
  };
}

class CollectingRun implements Run {
  readonly fieldOrder: Columns;
  readonly push: (event: Fields) => void;
  readonly #accumulator: Accumulator;
  readonly #warnings: Set<string>;
  /** What the making of the last result warned of: the next one may be about other numbers. */
  readonly #resultWarnings = new Set<string>();
  #isMakingResult = false;
  #dependsOnTime = false;

  constructor(step: AggregateStep, context: RunContext, warnings: ReadonlySet<string>) {
    this.#warnings = new Set([...warnings, ...(context.prepared?.warnings ?? [])]);
    const scope = newScope(
      context,
      (text) => (this.#isMakingResult ? this.#resultWarnings : this.#warnings).add(text),
      () => {
        this.#dependsOnTime = true;
      },
    );
    this.#accumulator = step.open(scope);
    this.push = rowInput(this.#accumulator);
    this.fieldOrder = step.columns(undefined);
  }

  from(table: EventTable): TakeEvent | undefined {
    return this.#accumulator.from(table);
  }

  rows(): readonly Fields[] {
    return finish(this.slicedRows());
  }

  *slicedRows(): SlicedWork<readonly Fields[]> {
    this.#resultWarnings.clear();
    this.#isMakingResult = true;
    try {
      return yield* slicedRows(this.#accumulator);
    } finally {
      this.#isMakingResult = false;
    }
  }

  get dependsOnTime(): boolean {
    return this.#dependsOnTime;
  }

  get extraData(): Readonly<Record<string, string>> {
    return this.#accumulator.extraData?.() ?? {};
  }

  get warnings(): readonly string[] {
    return [...new Set([...this.#warnings, ...this.#resultWarnings])];
  }
}
