import type { IngestLineStreamOptions } from '../../src/ingest/ingest-line-stream.ts';
import type { IngesterOptions } from '../../src/ingest/options.ts';
import { DeliveryEmitter } from '../../src/ingest/report/delivery-emitter.ts';
import { ReportingLineStream } from '../../src/ingest/worker/reporting-line-stream.ts';
import type { PinoConfig } from './pino-event.ts';
import { configLine, configOf, pinoLineMapper } from './pino-mapper.ts';

/**
 * Stream of a pino logger. `logger.flush(callback)` calls back when all records logged before are delivered or dropped,
 * or after `closeTimeoutMs` without progress.
 *
 * Emits `drop`, `warn`, `recovered` and `stats`; see `DeliveryEvents`. Never emits `error` for delivery failures.
 */
export class PinoStream extends ReportingLineStream {
  /** @throws LogOptionsException */
  constructor(options: IngesterOptions, streamOptions?: IngestLineStreamOptions) {
    let emitter: DeliveryEmitter | undefined;
    super(options, pinoLineMapper, (event) => emitter?.emit(event), streamOptions);
    // The ingester calls the hooks itself.
    emitter = new DeliveryEmitter(this, { onWarning: options.onWarning });
    // This is how pino tells a stream in the same thread about its levels, before the first line.
    this.on('message', (message: unknown) => {
      const configured = configOf(message);
      if (configured !== undefined) this.configure(configured.config);
    });
  }

  /** Takes the levels of the logger. */
  configure(config: PinoConfig | undefined): void {
    this.write(`${configLine(config)}\n`);
  }
}
