import type { IngestRecord } from '../record/record.ts';
import type { DropReason, IngesterStats } from './ingester-stats.ts';
import type { Warning } from './warning.ts';

/** Dropped records. */
export interface Drop {
  /**
   * Why the records were dropped. `overflow`: the queue was full. `rejected`: the service rejected them. `closed`: they
   * were undelivered at close, logged after it, or had no service to go to. `damaged`: they were unreadable in the spool.
   * `unredactable`: they could not be searched for secrets.
   */
  readonly reason: DropReason;
  /** Number of dropped records. */
  readonly records: number;
}

/** Dropped records, passed to `onDrop`. */
export interface DroppedRecords extends Drop {
  /** Dropped events as JSON strings. Empty for `damaged` and `unredactable`. */
  readonly events: readonly string[];
}

/** Records to drop. Compressed records are only decoded if they are read. */
export interface LostRecords {
  readonly length: number;
  readonly read: () => readonly IngestRecord[];
}

/** The end of an outage. */
export interface Recovery {
  /** Time from the first failed attempt to the next delivered batch, in milliseconds. */
  readonly outageMs: number;
  /** Number of failed attempts during the outage. */
  readonly failedAttempts: number;
}

/** Events of an ingester or transport, by name. */
export interface DeliveryEvents {
  /** Records were dropped. Drops within 100 ms are combined. */
  readonly drop: Drop;
  /** A warning, as on stderr or in `onWarning`. */
  readonly warn: Warning;
  /** Delivery resumed after failed attempts. */
  readonly recovered: Recovery;
  /** Counters, emitted after changes at most once per second, at each flush and at close. */
  readonly stats: IngesterStats;
}

/** Arguments of their listeners. */
export type EmittedEvents = { [Name in keyof DeliveryEvents]: [DeliveryEvents[Name]] };

/** One event as plain data, which can be passed between threads. */
export type DeliveryEvent = {
  [Name in keyof DeliveryEvents]: { readonly name: Name; readonly value: DeliveryEvents[Name] };
}[keyof DeliveryEvents];
