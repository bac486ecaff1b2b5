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
import { ComparedFields } from '../run/compared-fields.ts';
import type { RunContext } from '../run/run-context.ts';
import { newScope } from '../run/run-scope.ts';
import { undecidedWarnings } from '../run/search-budget.ts';
import { finish, type SlicedWork } from '../run/sliced-sort.ts';

/** One execution of a query. Push events ordered by `@timestamp`, and in order of arrival if equal. */
export interface Run extends Sink {
  /** Adds an event, which is not modified. */
  push(event: Fields): void;
  /** The result so far. May be read repeatedly. Rows may be shared with events: don't modify them. */
  rows(): readonly Fields[];
  /** Like `rows()`, in slices. Don't push events in between. */
  slicedRows(): SlicedWork<readonly Fields[]>;
  /** Whether the result depends on the interval or the time of the query, as far as they were read. */
  readonly dependsOnTime: boolean;
  /** The columns of the result in order; `undefined` if it consists of events. */
  readonly fieldOrder: readonly string[] | undefined;
  /** Metadata about the last result, such as `hasMoreEvents`. */
  readonly extraData: Readonly<Record<string, string>>;
  /** Why the last result is incomplete. */
  readonly warnings: readonly string[];
  /** The regular expressions that left values undecided, and the number of values. */
  readonly undecided: ReadonlyMap<string, number>;
}

/** One execution of a query that emits events immediately. */
export interface EventStream extends Sink {
  /** Adds an event, which is not modified. */
  push(event: Fields): void;
  /** Whether the output depends on the interval or the time of the query, as far as they were read. */
  readonly dependsOnTime: boolean;
  /** What the query probably does not mean, and why its output is incomplete. */
  readonly warnings: readonly string[];
  /** The regular expressions that left values undecided, and the number of values. */
  readonly undecided: ReadonlyMap<string, number>;
}

/** @param warnings that are known before the first event. */
export function startRun(step: AggregateStep, context: RunContext, warnings: ReadonlySet<string>): Run {
  return new CollectingRun(step, context, warnings);
}

/** @param known warnings that are known before the first event. */
export function startStream(
  steps: readonly StreamStep[],
  sink: Sink,
  context: RunContext,
  known: ReadonlySet<string>,
): EventStream {
  let dependsOnTime = false;
  const warnings = new Set([...known, ...(context.prepared?.warnings ?? [])]);
  const compared = new ComparedFields();
  const scope = newScope(
    context,
    (text) => warnings.add(text),
    () => {
      dependsOnTime = true;
    },
    compared,
  );
  const input = openSteps(steps, scope, sink);
  return {
    push: rowInput(input),
    from: (table) => input.from(table),
    get dependsOnTime() {
      return dependsOnTime;
    },
    get warnings() {
      return [...warnings, ...compared.warnings(), ...undecidedWarnings(scope.searches.undecided)];
    },
    undecided: scope.searches.undecided,
  };
}

class CollectingRun implements Run {
  readonly fieldOrder: Columns;
  readonly push: (event: Fields) => void;
  readonly #accumulator: Accumulator;
  readonly #warnings: Set<string>;
  /** Warnings about the last result only: the next one may have other numbers. */
  readonly #resultWarnings = new Set<string>();
  readonly undecided: ReadonlyMap<string, number>;
  readonly #compared = new ComparedFields();
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
      this.#compared,
    );
    this.undecided = scope.searches.undecided;
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
    return [
      ...new Set([
        ...this.#warnings,
        ...this.#resultWarnings,
        ...this.#compared.warnings(),
        ...undecidedWarnings(this.undecided),
      ]),
    ];
  }
}
