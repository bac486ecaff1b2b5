import { signal } from '@preact/signals';
import type { Row } from '../api/rows.ts';
import type { LogRecord } from '../records/log-record.ts';

/** The result of an aggregate, or of another query whose rows are not events. */
export interface TableResult {
  readonly rows: readonly Row[];
  readonly fieldOrder: readonly string[];
  readonly extraData: Readonly<Record<string, string>>;
  /** The fields by which the rows are grouped: their values are names, also if they look like numbers. */
  readonly groupedBy: readonly string[];
}

/** What went wrong, for the reader of the page. */
export interface Problem {
  readonly kind: 'query' | 'token' | 'server';
  readonly message: string;
}

export interface ResultFacts {
  /** How many events match; for an aggregate, how many it read. */
  readonly matches: number;
  /** How long the service needed, in milliseconds. */
  readonly timeMillis: number;
  /** The interval that was searched, in epoch milliseconds. */
  readonly start: number;
  readonly end: number;
  /** The part of the query that selects events. */
  readonly filterQuery: string;
  readonly warnings: readonly string[];
}

export type Activity = 'searching' | 'stopped' | 'done' | 'live' | 'reconnecting' | 'failed';

export const activity = signal<Activity>('searching');
/** How much of the search is done, from 0 to 1; `undefined` if the service has not said so. */
export const progress = signal<number | undefined>(undefined);
/** Whether the rows are still those of an earlier search. */
export const isStale = signal(false);
/** How many records have arrived since a live search began. */
export const arrivedCount = signal(0);
export const problem = signal<Problem | undefined>(undefined);
export const facts = signal<ResultFacts | undefined>(undefined);
/** The events of the result, oldest first; those of a live search up to a limit. */
export const records = signal<readonly LogRecord[]>([]);
/** Whether there are events before the oldest one that can be loaded. */
export const hasOlder = signal(false);
/** Whether the query has sorted the events: then they are shown as they come. */
export const isInGivenOrder = signal(false);
/** Set if the rows of the result are not events. */
export const table = signal<TableResult | undefined>(undefined);
/** Whether new records appear at once, or wait until the reader has finished. */
export const isFollowing = signal(true);
/** How many records wait. */
export const waitingCount = signal(0);
/** Counts searches, so that what depends on the result starts again. */
export const searchCount = signal(0);
/** Whether the repository has no records at all. */
export const isRepositoryEmpty = signal(false);
