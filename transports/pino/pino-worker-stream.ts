import { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { type FlushSignal, watchSignals } from '../../src/ingest/process/process-signals.ts';
import { DeliveryEmitter } from '../../src/ingest/report/delivery-emitter.ts';
import type { IngesterStats } from '../../src/ingest/report/ingester-stats.ts';
import type { LineSink } from '../../src/ingest/worker/line-sink.ts';
import { openLineSink } from '../../src/ingest/worker/open-line-sink.ts';
import { configLine, configOf, pinoLineMapper } from './pino-mapper.ts';
import { type PinoWorkerStreamOptions, resolvePinoWorkerStreamOptions } from './pino-options.ts';

/** Delivers what is left behind by streams that nobody refers to any more. */
const forgotten = new FinalizationRegistry<() => unknown>((close) => void close());

/** The logger's configuration and the end; see `configLine` and `END_LINE`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they begin with.
const CONTROL_LINE = /^[\u0001\u0004]/gm;

/**
 * Stream of a pino logger that delivers from a worker. Emits `finish` when all records are delivered, or dropped after
 * `closeTimeoutMs`.
 *
 * Emits `drop`, `warn`, `recovered` and `stats`; see `DeliveryEvents`. Never emits `error` for delivery failures.
 */
export class PinoWorkerStream extends Writable {
  readonly #sink: LineSink;
  readonly #close: () => Promise<void>;
  readonly #decoder = new StringDecoder();

  /** @throws LogOptionsException */
  constructor(options: PinoWorkerStreamOptions) {
    const { resolved, ingesterOptions, hooks } = resolvePinoWorkerStreamOptions(options);
    // Lines are taken over as they come; there is nothing for the stream to hold back.
    super({ decodeStrings: false, highWaterMark: Number.MAX_SAFE_INTEGER });
    const sink = openLineSink({
      ingesterOptions,
      closeTimeoutMs: resolved.closeTimeoutMs,
      mapperFor: pinoLineMapper,
      emitter: new DeliveryEmitter(this, { hooks }),
      fileName: 'pino-worker.js',
      moduleUrl: () => import.meta.url,
    });
    this.#sink = sink;
    this.#close = closerOf(sink, resolved.flushOnSignals);
    forgotten.register(this, this.#close);
    this.on('message', (message: unknown) => {
      const configured = configOf(message);
      if (configured !== undefined) this.#sink.control(configLine(configured.config));
    });
  }

  /** Counters as last reported by the worker: up to 1 s old, and exact after `flush` and `finish`. */
  get stats(): IngesterStats {
    return this.#sink.stats;
  }

  /**
   * Calls back, without an error, when all lines written before are delivered or dropped, or after `closeTimeoutMs`
   * without progress. Lines then stay queued and are sent when the service is back.
   */
  flush(callback?: () => void): void {
    void this.#sink.flush().then(() => callback?.());
  }

  override write(chunk: string | Buffer, ...rest: unknown[]): boolean {
    if (this.writable) return super.write(chunk, ...(rest as [BufferEncoding]));
    // A stream would emit an error, which ends the program. A logger that comes too late has lost a record, no more.
    this.#sink.write(plainLines(String(chunk)));
    return true;
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, callback: () => void): void {
    this.#sink.write(plainLines(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk)));
    callback();
  }

  override _final(callback: () => void): void {
    void this.#close().then(() => callback());
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    void this.#close().then(() => callback(error));
  }
}

/** pino's lines as they are. A text of the program must not be taken for a line that tells the worker something. */
function plainLines(text: string): string {
  return text.startsWith('{') ? text : text.replaceAll(CONTROL_LINE, ' $&');
}

/** Made outside of the stream, for it must not refer to a stream that may be forgotten. */
function closerOf(sink: LineSink, signals: readonly FlushSignal[]): () => Promise<void> {
  const unwatchSignals = watchSignals(sink, signals);
  return () => sink.close().then(unwatchSignals);
}
