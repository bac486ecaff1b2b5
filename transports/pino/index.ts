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
import { DroppingStream } from './dropping-stream.ts';
import {
  type PinoStreamOptions,
  type PinoTransportOptions,
  type PinoWorkerStreamOptions,
  resolvePinoTransportOptions,
} from './pino-options.ts';
import { PinoStream } from './pino-stream.ts';
import { connectToProgram, isPinoWorker, pinoConfig, reportStartError } from './pino-worker-port.ts';
import { PinoWorkerStream } from './pino-worker-stream.ts';

export type { OverflowPolicy } from '../../src/ingest/options.ts';
export type { FlushSignal } from '../../src/ingest/process/process-signals.ts';
export type { Tags } from '../../src/ingest/record/tags.ts';
export type { DeliveryHooks } from '../../src/ingest/report/delivery-emitter.ts';
export type { DeliveryEvents, Drop } from '../../src/ingest/report/delivery-event.ts';
export type { Recovery } from '../../src/ingest/report/delivery-observer.ts';
export type { DroppedRecords } from '../../src/ingest/report/dropped-records.ts';
export type { DropReason, IngesterStats } from '../../src/ingest/report/ingester-stats.ts';
export type { Warning, WarningKind } from '../../src/ingest/report/warning.ts';
export { flush } from './flush.ts';
export { type FlushOnSignalsOptions, flushOnSignals } from './flush-on-signals.ts';
export type {
  PinoStream,
  PinoStreamOptions,
  PinoTransportOptions,
  PinoWorkerStream,
  PinoWorkerStreamOptions,
};

/** How long the worker waits to hear from a logger; a transport without one must not hold up the program. */
const CONFIG_TIMEOUT_MS = 1_000;

/**
 * The end of a program waits ten seconds for pino's worker to read what it has logged, of which the worker reads half
 * ahead; and what a program logs while it is held back waits in its memory.
 */
const PINO_PATIENCE = { perWriteMs: 3_000, untilCaughtUpMs: 4_500 };

/**
 * Opens the stream for `pino.transport` in pino's worker. The stream returned by `pino.transport` emits `drop`, `warn`,
 * `recovered` and `stats`; see {@link DeliveryEvents}.
 *
 * @throws LogOptionsException
 */
export async function pinoTransport(options: PinoTransportOptions = {}): Promise<PinoStream> {
  const stream = new PinoStream(resolvePinoTransportOptions(options), { holdsBack: PINO_PATIENCE });
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
export function createPinoTransport(options: PinoWorkerStreamOptions = {}): PinoWorkerStream {
  return new PinoWorkerStream(options);
}

/**
 * Creates a stream that delivers in-process, for bundles and serverless functions. Close it with `stream.end()`.
 * `logger.flush(callback)` calls back when everything is delivered.
 *
 * @throws LogOptionsException
 */
export function createPinoStream(options: PinoStreamOptions = {}): PinoStream {
  // The ingester checks them, too, but does not know whose they are.
  resolveIngesterOptions(options, 'createPinoStream');
  return new PinoStream(options);
}

/** Waits for the logger's levels and keys, which pino 9 and later send to the worker. */
async function configureFromPino(stream: PinoStream): Promise<void> {
  const config = pinoConfig();
  if (config === undefined) return;
  const configured = config.then((received) => stream.configure(received));
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CONFIG_TIMEOUT_MS);
  });
  await Promise.race([configured, timeout]);
  clearTimeout(timer);
}
