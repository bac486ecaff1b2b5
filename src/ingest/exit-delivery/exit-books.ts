import type { IngesterObserver } from '../ingester-observer.ts';
import type { DroppedRecords } from '../ingester-options.ts';
import type { IngesterStats } from '../ingester-stats.ts';
import type { Warning } from '../warnings.ts';
import type { ExitDelivery } from './exit-protocol.ts';

/** Notes what becomes of records at the exit, for the waiting thread, which tells people of everything. */
export class ExitBooks implements IngesterObserver {
  readonly #drops: ExitDelivery['drops'][number][] = [];
  readonly #warnings: ExitDelivery['warnings'][number][] = [];
  #lastFailure = '';

  dropped({ reason, events }: DroppedRecords): void {
    this.#drops.push({ reason, events: [...events] });
  }

  failed(reason: string): void {
    this.#lastFailure = reason;
  }

  warned({ kind, message }: Warning): void {
    if (kind === 'attention' || kind === 'internal') this.#warnings.push({ kind, message });
  }

  close({ delivered, batches, retried }: IngesterStats): ExitDelivery {
    return {
      delivered,
      batches,
      retried,
      drops: this.#drops,
      lastFailure: this.#lastFailure,
      warnings: this.#warnings,
    };
  }
}
