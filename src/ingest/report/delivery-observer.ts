/** The end of an outage. */
import type { DroppedRecords } from './dropped-records.ts';
import type { Warning } from './warning.ts';
export interface Recovery {
  /** Time from the first failed attempt to the next delivered batch, in milliseconds. */
  readonly outageMs: number;
  /** Number of failed attempts during the outage. */
  readonly failedAttempts: number;
}

/** Receives the events of an ingester, in addition to its hooks. Must not throw. */
export interface DeliveryObserver {
  dropped?(drop: DroppedRecords): void;
  warned?(warning: Warning): void;
  recovered?(recovery: Recovery): void;
  /** Called with the reason of each failed attempt; it contains no token. */
  failed?(reason: string): void;
}
