import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import type { Evaluate, Predicate } from '../compiler/scope.ts';
import { copyFields, type Fields } from '../event.ts';
import type { Regex } from '../regex/regex.ts';
import type { RunScope } from '../run/run-context.ts';
import type { SlicedWork } from '../run/sliced-sort.ts';

/**
 * Takes a row. `stored` is the event as it was when it entered the pipeline, for free text looks only there; for a
 * row that an aggregate made, it is that row.
 */
export type Emit = (row: Fields, stored: Fields) => void;

/** The columns of result rows, in order. `undefined` for events, which have any fields. */
export type Columns = readonly string[] | undefined;

/** Handles each row by itself and hands on none, one or several. Immutable; `open` starts it for one run. */
export interface StreamStep {
  /**
   * - `reads`: hands on the row that it got.
   * - `edits`: changes the row in place; it must be given one that nobody else holds.
   * - `renews`: hands on rows of its own, whatever it got.
   */
  readonly effect: 'reads' | 'edits' | 'renews';
  /** The only fields that it may change in a row, when it never changes or hands on any other than the row it got. */
  readonly writes?: readonly string[];
  /**
   * The only fields in which what it hands on differs from the row that it got, when that is one row at most and follows
   * from what it `reads` alone.
   */
  readonly rewrites?: readonly string[] | undefined;
  /** Where it sets the one field that it rewrites to the value of an expression: the expression. */
  readonly assigns?: Evaluate;
  /** Where it hands on what a regular expression matches in a field, with the groups of the match: these. */
  readonly extracts?: Extraction;
  /** Whether it hands on every row, one for each. */
  readonly keepsAll?: true;
  /** Whether what it hands on has no other fields than those that it `reads`. */
  readonly picks?: true;
  /** What it does, when it lets rows through or not and does nothing else. */
  readonly filter?: Predicate;
  /** The only fields that it looks at, and none of them in `stored`. Without this, it may look at any. */
  readonly reads?: readonly string[] | undefined;
  /** @param owned whether the rows that it will get may be changed in place. */
  open(run: RunScope, emit: Emit, owned: boolean): Emit;
  /** The columns after the step; when absent, the columns before it. */
  columns?(before: Columns): Columns;
  /** What it must know of all rows before it can hand on the first. It finds the result in the run, by this object. */
  readonly firstPass?: FirstPass;
}

/** The first match of a regular expression in a field. */
export interface Extraction {
  readonly field: string;
  readonly regex: Regex;
}

/** Looks at all rows before a step gets them. Immutable; `open` starts it for one run. */
export interface FirstPass {
  open(run: RunScope): {
    push(row: Fields, stored: Fields): void;
    result(): unknown;
  };
}

/** Consumes all rows and makes new ones. Immutable; `open` starts it for one run. */
export interface AggregateStep {
  /** A group of `groupBy` for which it makes no row is left out; without this, such a group is a row of its keys. */
  readonly filtersGroups?: boolean;
  /** Makes its rows of nothing that is pushed. */
  readonly ignoresInput?: boolean;
  /** The only fields that it looks at in what is pushed, and none of them in `stored`. Without this, any. */
  readonly reads?: readonly string[] | undefined;
  /** The aggregates of a list. */
  readonly members?: readonly AggregateStep[];
  open(run: RunScope): Accumulator;
  columns(before: Columns): Columns;
}

/** The state of an aggregate. It keeps no row that it doesn't give back. */
export interface Accumulator {
  push(row: Fields, stored: Fields): void;
  /** What takes events of a table as `push` takes their rows, from columns; `undefined` when none of them counts. */
  from?(table: EventTable): TakeEvent | undefined;
  /** The result so far. May be called any number of times, and more rows may follow. */
  rows(): readonly Fields[];
  /** The same as `rows`, made bit by bit, where there can be much to do. */
  slicedRows?(): SlicedWork<readonly Fields[]>;
  /** What the result page wants to know about the result. */
  readonly extraData?: Readonly<Record<string, string>>;
}

/** The rows of an aggregate, made bit by bit where it can do that. */
export function* slicedRows(accumulator: Accumulator): SlicedWork<readonly Fields[]> {
  if (accumulator.slicedRows === undefined) {
    yield;
    return accumulator.rows();
  }
  return yield* accumulator.slicedRows();
}

/** Connects steps, the first one first. Puts a copy in front of the first step that would change a shared row. */
export function openSteps(
  steps: readonly StreamStep[],
  run: RunScope,
  emit: Emit,
  ownedAtStart = false,
): Emit {
  const owned: boolean[] = [];
  let current = ownedAtStart;
  for (const step of steps) {
    owned.push(current);
    current ||= step.effect !== 'reads';
  }
  return steps.reduceRight((next, step, index) => {
    const isOwned = owned[index] === true;
    if (step.effect !== 'edits' || isOwned) return step.open(run, next, isOwned);
    const edit = step.open(run, next, true);
    return (row, stored) => edit(copyFields(row), stored);
  }, emit);
}

/** Whether rows come out of these steps as rows of their own. */
export function renewRows(steps: readonly StreamStep[]): boolean {
  return steps.some((step) => step.effect !== 'reads');
}

export function columnsAfter(
  steps: readonly { columns?(before: Columns): Columns }[],
  before: Columns,
): Columns {
  return steps.reduce<Columns>((columns, step) => (step.columns ? step.columns(columns) : columns), before);
}

/** Adds columns that are not there yet. */
export function withColumns(before: Columns, added: readonly string[]): Columns {
  return before && [...before, ...added.filter((name) => !before.includes(name))];
}

/** Puts columns in front. Where the others are not known beforehand, those of the whole are not. */
export function withLeadingColumns(leading: readonly string[], others: Columns): Columns {
  return others && [...new Set([...leading, ...others])];
}
