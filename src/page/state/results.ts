import { computed, signal } from '@preact/signals';
import type { Row } from '../api/rows.ts';
import type { LogRecord } from '../records/log-record.ts';

/** The result of an aggregate, or of another query whose rows are not events. */
export interface TableResult {
  readonly rows: readonly Row[];
  readonly fieldOrder: readonly string[];
  readonly extraData: Readonly<Record<string, string>>;
  /** Whether events are missing, because not all are read. */
  readonly isPart?: boolean;
  /** Fields by which the rows are grouped. Their values are names, even if they look like numbers. */
  readonly groupedBy: readonly string[];
  /** Fields with numbers that functions have computed. Other text stays as it was logged. */
  readonly numbers: readonly string[];
}

/** A problem to show to the user. */
export interface Problem {
  readonly kind: 'query' | 'token' | 'server';
  readonly message: string;
}

export interface Interval {
  /** Epoch milliseconds. */
  readonly start: number;
  readonly end: number;
}

/** The searched interval, and how it was searched. */
export interface ResultFacts extends Interval {
  /** Duration of the search on the service, in milliseconds. */
  readonly timeMillis: number;
  /** Whether the query computes its rows from all events. */
  readonly isAggregate: boolean;
  /** The fields that the query selects, in order; empty if rows have all of theirs. */
  readonly columns: readonly string[];
  /** The part of the query that selects events. */
  readonly filterQuery: string;
}

export type Activity = 'searching' | 'stopped' | 'done' | 'live' | 'reconnecting' | 'failed';

export const activity = signal<Activity>('searching');
/** Progress of the search, from 0 to 1; `undefined` if unknown. */
export const progress = signal<number | undefined>(undefined);
/** Whether the rows are still from an earlier search. */
export const isStale = signal(false);
/** Number of matching events; for an aggregate, of its input events. A live search counts them repeatedly. */
export const matches = signal(0);
/** Share of the files that the server had read for the result, from 0 to 1; `undefined` if all. */
export const readShare = signal<number | undefined>(undefined);
export const warnings = signal<readonly string[]>([]);
export const problem = signal<Problem | undefined>(undefined);
export const facts = signal<ResultFacts | undefined>(undefined);
/** The time from the first to the last event, known if all time is searched. */
export const extent = signal<Interval | undefined>(undefined);
/** The events of the result, oldest first. A live search keeps a limited number. */
export const records = signal<readonly LogRecord[]>([]);
/** Whether older events can be loaded. */
export const hasOlder = signal(false);
/** Whether the query has sorted the events, so that they are shown in that order. */
export const isInGivenOrder = signal(false);
/** Set if the rows of the result are not events. */
export const table = signal<TableResult | undefined>(undefined);
/** Whether no event matches, or the rows have no value in their first column, such as the field of `groupBy()`. */
export const findsNothing = computed(() => {
  const { fieldOrder: [first] = [], rows = [] } = table.value ?? {};
  return matches.value === 0 || (first !== undefined && rows.every((row) => (row[first] ?? '') === ''));
});
/** Computes the rows of a view that are not those of the search, such as patterns. */
export const viewRows = signal<(() => readonly Row[]) | undefined>(undefined);
/** Whether new records appear immediately or wait while the tail is paused. */
export const isFollowing = signal(true);
/** Number of waiting records. */
export const waitingCount = signal(0);
/** Number of searches. A change reloads everything that depends on the result. */
export const searchCount = signal(0);
/** Why the first result of the search may be empty. */
export const firstHints = signal<readonly string[]>([]);
/** Why the search may find nothing. */
export const hints = computed(() => (findsNothing.value ? firstHints.value : []));
/** Whether the repository has no records at all. */
export const isRepositoryEmpty = signal(false);
