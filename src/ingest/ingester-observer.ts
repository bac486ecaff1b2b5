/** The end of an outage. */
import type { DroppedRecords } from './dropped-records.ts';
import type { Warning } from './warning.ts';
export interface Recovery {
  /** Milliseconds from the first failed attempt to the first batch that was taken again. */
  readonly outageMs: number;
  /** The attempts that failed. */
  readonly failedAttempts: number;
}

/** Hears of what an ingester goes through, beside its own warnings. Must not throw. */
export interface IngesterObserver {
  dropped?(drop: DroppedRecords): void;
  warned?(warning: Warning): void;
  recovered?(recovery: Recovery): void;
  /** Told of every attempt that failed, and why; the reason holds no token. */
  failed?(reason: string): void;
}
