import type { Recovery } from '../ingester-observer.ts';
import type { DropReason, IngesterStats } from '../ingester-stats.ts';
import type { Warning } from '../warning.ts';

/** Records that were given up. */
export interface Drop {
  readonly reason: DropReason;
  /** How many. */
  readonly records: number;
}

/** What a delivery tells the program that it works for, by the name under which the program's stream emits it. */
export interface DeliveryEvents {
  /** Records were given up. The drops of a tenth of a second are told together. */
  readonly drop: Drop;
  /** What stderr, or the hook `onWarning`, is told. */
  readonly warn: Warning;
  /** Records are delivered again after attempts that failed. */
  readonly recovered: Recovery;
  /** The counters: when they have changed, at most once a second; and at each flush and at the end. */
  readonly stats: IngesterStats;
}

/** One of them, as it is passed on; plain data, which crosses between threads. */
export type DeliveryEvent = {
  [Name in keyof DeliveryEvents]: { readonly name: Name; readonly value: DeliveryEvents[Name] };
}[keyof DeliveryEvents];
