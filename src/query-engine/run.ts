import type { Fields } from './event.ts';
import type { Accumulator, AggregateStep, Columns, Emit } from './operator.ts';
import type { RunContext, RunScope } from './run-context.ts';

/** One execution of a query. Events are pushed in ascending order of `@timestamp`, equal ones as they arrived. */
export interface Run {
  /** Takes an event, and never changes it. */
  push(event: Fields): void;
  /** The result so far. May be read any number of times. The rows may be shared with events: don't change them. */
  rows(): readonly Fields[];
  /** The columns of the result in order, `undefined` when it consists of events. */
  readonly fieldOrder: readonly string[] | undefined;
  /** What else there is to know about the result, such as `hasMoreEvents`. Current as of the last `rows()`. */
  readonly extraData: Readonly<Record<string, string>>;
  /** Why the result is incomplete, if it is. Current as of the last `rows()`. */
  readonly warnings: readonly string[];
}

/** One execution of a query whose events are handed on as they come. */
export interface EventStream {
  /** Takes an event, and never changes it. */
  push(event: Fields): void;
}

export function startRun(step: AggregateStep, context: RunContext): Run {
  const warnings = new Set<string>();
  const accumulator = step.open(newScope(context, warnings));
  return new CollectingRun(accumulator, step.columns(undefined), warnings);
}

/** Streams have no place for warnings: nothing that a filter query does gives one. */
export function startStream(open: (run: RunScope) => Emit, context: RunContext): EventStream {
  const input = open(newScope(context, new Set()));
  return { push: (event) => input(event, event) };
}

function newScope(context: RunContext, warnings: Set<string>): RunScope {
  const { start, end, now, timeZone } = context;
  return { start, end, now, timeZone, warn: (text) => warnings.add(text) };
}

class CollectingRun implements Run {
  readonly fieldOrder: Columns;
  readonly #accumulator: Accumulator;
  readonly #warnings: ReadonlySet<string>;

  constructor(accumulator: Accumulator, fieldOrder: Columns, warnings: ReadonlySet<string>) {
    this.#accumulator = accumulator;
    this.fieldOrder = fieldOrder;
    this.#warnings = warnings;
  }

  push(event: Fields): void {
    this.#accumulator.push(event, event);
  }

  rows(): readonly Fields[] {
    return this.#accumulator.rows();
  }

  get extraData(): Readonly<Record<string, string>> {
    return this.#accumulator.extraData ?? {};
  }

  get warnings(): readonly string[] {
    return [...this.#warnings];
  }
}
