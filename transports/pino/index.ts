/**
 * The pino transport, in pino's worker:
 *
 * ```ts
 * const logger = pino(pino.transport({ target: 'logclient/pino', options: { baseUrl, ingestToken } }));
 * ```
 *
 * In a worker with hooks on the main thread: `pino(createPinoTransport({ baseUrl, ingestToken, onDrop }))`. In-process:
 * `pino(createPinoStream({ baseUrl, ingestToken }))`.
 */
import type { Writable } from 'node:stream';
import { resolveIngesterOptions } from '../../src/ingest/options.ts';
import { settlesWithin } from '../../src/internal/settles-within.ts';
import { DroppingStream } from './dropping-stream.ts';
import {
  type PinoStreamOptions,
  type PinoTransportOptions,
  type PinoWorkerStreamOptions,
  resolvePinoTransportOptions,
  resolvePinoWorkerStreamOptions,
} from './pino-options.ts';
import { InProcessPinoStream, type PinoStream } from './pino-stream.ts';
import { connectToProgram, isPinoWorker, pinoConfig, reportStartError } from './pino-worker-port.ts';
import { PinoWorkerStream } from './pino-worker-stream.ts';

export type { OverflowPolicy } from '../../src/ingest/options.ts';
export type { FlushSignal } from '../../src/ingest/process/process-signals.ts';
export type { Tags } from '../../src/ingest/record/tags.ts';
export type { DeliveryHooks } from '../../src/ingest/report/delivery-emitter.ts';
export type {
  DeliveryEvents,
  Drop,
  DroppedRecords,
  Recovery,
} from '../../src/ingest/report/delivery-event.ts';
export type { DropReason, IngesterStats } from '../../src/ingest/report/ingester-stats.ts';
export type { Warning, WarningKind } from '../../src/ingest/report/warning.ts';
export { flush } from './flush.ts';
export { type FlushOnSignalsOptions, flushOnSignals } from './flush-on-signals.ts';
export type { PinoStream, PinoStreamOptions, PinoTransportOptions, PinoWorkerStreamOptions };

/** Maximum time that the worker waits for pino's configuration. */
const CONFIG_TIMEOUT_MS = 1_000;

/**
 * On exit, pino waits ten seconds for its worker to read all lines. The worker reads ahead half of the shared memory, and
 * lines that the program logs meanwhile wait in its own memory.
 */
const BACKPRESSURE = { perWriteMs: 3_000, untilCaughtUpMs: 4_500 };

/**
 * Opens the stream for `pino.transport` in pino's worker. The stream returned by `pino.transport` emits `drop`, `warn`,
 * `recovered` and `stats`; see {@link DeliveryEvents}.
 *
 * @throws LogOptionsException
 */
export async function pinoTransport(options: PinoTransportOptions = {}): Promise<PinoStream> {
  const stream = new InProcessPinoStream(resolvePinoTransportOptions(options), BACKPRESSURE);
  connectToProgram(stream);
  await configureFromPino(stream);
  return stream;
}

/**
 * Entry point for `pino.transport`, called by pino in its worker. If {@link pinoTransport} fails there, its error arrives
 * as an `error` event of the transport, and all records are dropped and counted on stderr.
 */
export default async function startPinoTransport(options?: PinoTransportOptions): Promise<Writable> {
  try {
    return await pinoTransport(options);
  } catch (error) {
    if (!isPinoWorker()) throw error;
    const stream = new DroppingStream(error);
    reportStartError(error, stream);
    return stream;
  }
}

/**
 * Creates a stream that delivers from a worker of this package. Hooks run on the main thread, even during
 * `process.exit()`. If the worker crashes or can't be started, delivery continues on the main thread. Close it with
 * `stream.end()`. `logger.flush(callback)` calls back when everything is delivered.
 *
 * @throws LogOptionsException
 */
export function createPinoTransport(options: PinoWorkerStreamOptions = {}): PinoStream {
  return new PinoWorkerStream(resolvePinoWorkerStreamOptions(options));
}

/**
 * Creates a stream that delivers in-process, for bundles and serverless functions. Close it with `stream.end()`.
 * `logger.flush(callback)` calls back when everything is delivered.
 *
 * @throws LogOptionsException
 */
export function createPinoStream(options: PinoStreamOptions = {}): PinoStream {
  return new InProcessPinoStream(resolveIngesterOptions(options, 'createPinoStream'));
}

/** Waits for the logger's levels and keys, which pino 9 and later send to the worker. */
async function configureFromPino(stream: InProcessPinoStream): Promise<void> {
  const config = pinoConfig();
  if (config === undefined) return;
  const configured = config.then((received) => stream.configure(received));
  await settlesWithin(configured, CONFIG_TIMEOUT_MS);
}
