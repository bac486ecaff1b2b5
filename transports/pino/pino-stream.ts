import { IngestLineStream } from '../../src/ingest/ingest-line-stream.ts';
import { Ingester } from '../../src/ingest/ingester.ts';
import type { IngesterOptions } from '../../src/ingest/ingester-options.ts';
import type { IngesterStats } from '../../src/ingest/ingester-stats.ts';
import { type PinoConfig, PinoEventMapper } from './pino-event.ts';

/**
 * The stream behind a pino logger. `logger.flush(callback)` calls back when everything that was logged before is
 * delivered or given up, also across a worker. In an outage that takes as long as the outage. A process that only waits
 * for it ends meanwhile, but not with pino's worker: there pino holds the process. `stream.end()` has a bound.
 */
export class PinoStream extends IngestLineStream {
  readonly #ingester: Ingester;
  readonly #mapper: PinoEventMapper;

  /** @throws LogOptionsException */
  constructor(options: IngesterOptions) {
    const ingester = new Ingester(options);
    const mapper = new PinoEventMapper(ingester.tags);
    super(ingester, (line, nowMs) => mapper.recordOf(line, nowMs));
    this.#ingester = ingester;
    this.#mapper = mapper;
    // This is how pino tells a stream in the same thread about its levels, before the first line.
    this.on('message', (message: { code?: unknown; config?: PinoConfig } | undefined) => {
      if (message?.code === 'PINO_CONFIG') this.configure(message.config);
    });
  }

  /** Takes the levels of the logger. */
  configure(config: PinoConfig | undefined): void {
    this.#mapper.configure(config);
  }

  /** Counters of what has become of the records. */
  get stats(): IngesterStats {
    return this.#ingester.stats;
  }
}
