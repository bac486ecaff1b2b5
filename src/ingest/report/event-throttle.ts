import type { Clock, Timer } from '../../internal/clock.ts';
import type { DeliveryEvent, Drop } from './delivery-event.ts';
import type { DeliveryObserver, Recovery } from './delivery-observer.ts';
import type { DropReason, IngesterStats } from './ingester-stats.ts';
import type { Warning } from './warning.ts';

/** Drops come one by one, as fast as a program logs. */
const DROP_INTERVAL_MS = 100;
const STATS_INTERVAL_MS = 1_000;

/**
 * Makes events of what an ingester goes through, few enough to send each to another thread: drops are added up, and
 * the counters are told when they have changed.
 */
export class EventThrottle implements DeliveryObserver {
  readonly #tell: (event: DeliveryEvent) => void;
  readonly #readStats: () => IngesterStats;
  readonly #clock: Clock;
  readonly #drops = new Map<DropReason, number>();
  #dropTimer: Timer | undefined;
  #statsTimer: Timer | undefined;
  #toldStats = '';
  #isTelling = false;

  /** @param tell must not throw. */
  constructor(tell: (event: DeliveryEvent) => void, readStats: () => IngesterStats, clock: Clock) {
    this.#tell = tell;
    this.#readStats = readStats;
    this.#clock = clock;
  }

  dropped({ reason, records }: Drop): void {
    this.#drops.set(reason, records + (this.#drops.get(reason) ?? 0));
    // After the end of a delivery there may be no later. But who logs on hearing of a drop must not be called for ever.
    if (reason === 'closed' && !this.#isTelling) this.#tellDrops();
    else this.#dropTimer ??= this.#clock.startTimer(DROP_INTERVAL_MS, () => this.#tellDrops());
  }

  warned(value: Warning): void {
    this.#tell({ name: 'warn', value });
  }

  recovered(value: Recovery): void {
    this.#tell({ name: 'recovered', value });
  }

  /** Something was added: the counters are going to change. */
  added(): void {
    this.#statsTimer ??= this.#clock.startTimer(STATS_INTERVAL_MS, () => this.#tellStatsAgain());
  }

  /** Tells what has gathered. */
  tellAll(): void {
    this.#tellDrops();
    this.#tellStats();
  }

  #tellDrops(): void {
    this.#dropTimer?.cancel();
    this.#dropTimer = undefined;
    const drops = [...this.#drops];
    this.#drops.clear();
    this.#isTelling = true;
    for (const [reason, records] of drops) this.#tell({ name: 'drop', value: { reason, records } });
    this.#isTelling = false;
  }

  #tellStats(): IngesterStats {
    const stats = this.#readStats();
    const text = JSON.stringify(stats);
    if (text !== this.#toldStats) {
      this.#toldStats = text;
      this.#tell({ name: 'stats', value: stats });
    }
    return stats;
  }

  #tellStatsAgain(): void {
    this.#statsTimer = undefined;
    const { queuedRecords, spooledRecords, inFlightRecords } = this.#tellStats();
    if (queuedRecords + spooledRecords + inFlightRecords > 0) this.added();
  }
}
