import type { EventTable, Sink, TakeEvent } from '../columns/event-table.ts';
import { rowInput } from '../columns/row-table.ts';
import type { Fields } from '../event.ts';
import { type Accumulator, type AggregateStep, type Columns, slicedRows } from '../operators/operator.ts';
import { ComparedFields } from '../run/compared-fields.ts';
import type { RunContext, RunScope } from '../run/run-context.ts';
import { newScope } from '../run/run-scope.ts';
import { undecidedWarnings } from '../run/search-budget.ts';
import { finish, type RowSource, type SlicedWork } from '../run/sliced-sort.ts';

/** One execution of a query that emits events immediately. */
export interface EventStream extends Sink {
  /** Adds an event, which is not modified. */
  push(event: Fields): void;
  /** Whether the result depends on the interval or the time of the query, as far as they were read. */
  readonly dependsOnTime: boolean;
  /** What the query probably does not mean, and why its last result is incomplete. */
  readonly warnings: readonly string[];
  /** The regular expressions that left values undecided, and the number of values. */
  readonly undecided: ReadonlyMap<string, number>;
}

/**
 * One execution of a query that returns rows. Push events ordered by `@timestamp`, and in order of arrival if equal.
 *
 * The result so far may be read repeatedly. Its rows may be shared with events: don't modify them.
 */
export interface Run extends EventStream {
  /** The result. */
  rows(): readonly Fields[];
  /** The result, in slices. Don't push events in between. */
  slicedRows(): SlicedWork<readonly Fields[]>;
  /** The result, one row at a time, in slices: a million groups need 80 MB less. Don't push events in between. */
  eachRow(): RowSource;
  /** The columns of the result in order; `undefined` if it consists of events. */
  readonly fieldOrder: Columns;
  /** Metadata about the last result, such as `hasMoreEvents`. */
  readonly extraData: Readonly<Record<string, string>>;
}

export class Execution<Input extends Sink> implements EventStream {
  readonly push: (event: Fields) => void;
  readonly undecided: ReadonlyMap<string, number>;
  protected readonly input: Input;
  readonly #compared = new ComparedFields();
  readonly #warnings: Set<string>;
  /** Warnings about the last result only: the next one may have other numbers. */
  readonly #resultWarnings = new Set<string>();
  #isMakingResult = false;
  #dependsOnTime = false;

  /** @param known warnings that are known before the first event. */
  constructor(open: (scope: RunScope) => Input, context: RunContext, known: ReadonlySet<string>) {
    this.#warnings = new Set([...known, ...(context.prepared?.warnings ?? [])]);
    const scope = newScope(
      context,
      (text) => (this.#isMakingResult ? this.#resultWarnings : this.#warnings).add(text),
      () => {
        this.#dependsOnTime = true;
      },
      this.#compared,
    );
    this.undecided = scope.searches.undecided;
    this.input = open(scope);
    this.push = rowInput(this.input);
  }

  from(table: EventTable): TakeEvent | undefined {
    return this.input.from(table);
  }

  get dependsOnTime(): boolean {
    return this.#dependsOnTime;
  }

  get warnings(): readonly string[] {
    const undecided = undecidedWarnings(this.undecided);
    return [
      ...new Set([...this.#warnings, ...this.#resultWarnings, ...this.#compared.warnings(), ...undecided]),
    ];
  }

  protected *makingResult<Step, Result>(work: Iterable<Step, Result>): Generator<Step, Result> {
    this.#resultWarnings.clear();
    this.#isMakingResult = true;
    try {
      return yield* work;
    } finally {
      this.#isMakingResult = false;
    }
  }
}

export class CollectingRun extends Execution<Accumulator> implements Run {
  readonly fieldOrder: Columns;

  constructor(step: AggregateStep, context: RunContext, known: ReadonlySet<string>) {
    super((scope) => step.open(scope), context, known);
    this.fieldOrder = step.columns(undefined);
  }

  rows(): readonly Fields[] {
    return finish(this.slicedRows());
  }

  slicedRows(): SlicedWork<readonly Fields[]> {
    return this.makingResult(slicedRows(this.input));
  }

  *eachRow(): RowSource {
    const rows = this.input.eachRow?.();
    if (rows === undefined) yield* yield* this.slicedRows();
    else yield* this.makingResult(rows);
  }

  get extraData(): Readonly<Record<string, string>> {
    return this.input.extraData?.() ?? {};
  }
}
