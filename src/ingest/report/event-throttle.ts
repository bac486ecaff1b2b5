import type { Timer } from '../../core/clock.ts';
import type { ProcessExitListener } from '../process/process-exit.ts';
import type { World } from '../world.ts';
import type { DeliveryEvent, Drop } from './delivery-event.ts';
import type { DropReason, IngesterStats } from './ingester-stats.ts';

/** Drops can be as frequent as log calls. */
const DROP_INTERVAL_MS = 100;
const STATS_INTERVAL_MS = 1_000;

/** Maximum number of drops that are emitted immediately. A listener that logs causes the next one. */
const MAX_IMMEDIATE_DROPS = 100;

/** Combines drops and changed counters into events that are few enough to post each to another thread. */
export class EventThrottle implements ProcessExitListener {
  readonly #emit: (event: DeliveryEvent) => void;
  readonly #readStats: () => IngesterStats;
  readonly #world: Pick<World, 'clock' | 'exit'>;
  readonly #drops = new Map<DropReason, number>();
  #dropTimer: Timer | undefined;
  #statsTimer: Timer | undefined;
  #emittedStats = '';
  #isEmitting = false;
  #immediateDrops = 0;

  /** @param emit must not throw. */
  constructor(
    emit: (event: DeliveryEvent) => void,
    readStats: () => IngesterStats,
    world: Pick<World, 'clock' | 'exit'>,
  ) {
    this.#emit = emit;
    this.#readStats = readStats;
    this.#world = world;
  }

  dropped({ reason, records }: Drop): void {
    this.#drops.set(reason, records + (this.#drops.get(reason) ?? 0));
    // After close there may be no later turn. But a listener that logs when it hears of a drop must not loop.
    const isImmediate = (reason === 'closed' || this.#world.exit.hasEnded()) && !this.#isEmitting;
    if (isImmediate && this.#immediateDrops++ < MAX_IMMEDIATE_DROPS) this.#emitDrops();
    else if (!this.#world.exit.hasEnded()) {
      this.#dropTimer ??= this.#world.clock.startTimer(DROP_INTERVAL_MS, () => this.#emitDrops());
      this.#world.exit.watch(this);
    }
  }

  atExit(): void {
    if (!this.#isEmitting) this.#emitDrops();
  }

  /** Called when a record was added, which changes the counters. */
  added(): void {
    this.#statsTimer ??= this.#world.clock.startTimer(STATS_INTERVAL_MS, () => {
      this.#statsTimer = undefined;
      const { queuedRecords, spooledRecords, inFlightRecords } = this.#emitStats();
      if (queuedRecords + spooledRecords + inFlightRecords > 0) this.added();
    });
  }

  emitAll(): void {
    this.#emitDrops();
    this.#emitStats();
  }

  #emitDrops(): void {
    this.#world.exit.unwatch(this);
    this.#dropTimer?.cancel();
    this.#dropTimer = undefined;
    const drops = [...this.#drops];
    this.#drops.clear();
    this.#isEmitting = true;
    for (const [reason, records] of drops) this.#emit({ name: 'drop', value: { reason, records } });
    this.#isEmitting = false;
  }

  #emitStats(): IngesterStats {
    const stats = this.#readStats();
    const text = JSON.stringify(stats);
    if (text !== this.#emittedStats) {
      this.#emittedStats = text;
      this.#emit({ name: 'stats', value: stats });
    }
    return stats;
  }
}
