import { keepAlive } from '../../src/core/keep-alive.ts';
import type { BackpressureLimits } from '../../src/ingest/backpressure.ts';
import type { DeliveryStream } from '../../src/ingest/kit/delivery-stream.ts';
import { LineStream } from '../../src/ingest/line-stream.ts';
import type { ResolvedIngesterOptions } from '../../src/ingest/options.ts';
import { DeliveryEmitter } from '../../src/ingest/report/delivery-emitter.ts';
import type { IngesterStats } from '../../src/ingest/report/ingester-stats.ts';
import { onPinoConfig, pinoLineMapper } from './pino-mapper.ts';

/**
 * Stream of a pino logger. Emits `finish` when all records are delivered, or dropped after `closeTimeoutMs`.
 *
 * Emits `drop`, `warn`, `recovered` and `stats`; see `DeliveryEvents`. Never emits `error` for delivery failures.
 */
export interface PinoStream extends DeliveryStream {
  /** Counters. From a worker, as last reported: up to 1 s old, and exact after `flush` and `finish`. */
  readonly stats: IngesterStats;
  /** See `Ingester.flush`. Also calls back, without an error. */
  flush(callback?: () => void): Promise<boolean>;
}

/** Delivers from the thread that it is in: that of the program, or pino's worker. */
export class SameThreadPinoStream extends LineStream implements PinoStream {
  constructor(options: ResolvedIngesterOptions, backpressure?: BackpressureLimits) {
    let emitter: DeliveryEmitter | undefined;
    super(options, pinoLineMapper, { onEvent: (event) => emitter?.emit(event), backpressure });
    // The pipeline calls the hooks itself.
    emitter = new DeliveryEmitter(this, options);
    onPinoConfig(this, (line) => this.write(`${line}\n`));
  }

  override flush(callback?: () => void): Promise<boolean> {
    return keepAlive(super.flush(callback));
  }
}
