/**
 * The pino transport, in pino's worker:
 *
 * ```ts
 * const logger = pino(pino.transport({ target: 'logclient/pino', options: { baseUrl, ingestToken } }));
 * ```
 *
 * | stream | delivers from | class |
 * |---|---|---|
 * | `pino.transport({ target: 'logclient/pino' })` | pino's worker, through `pino-worker-side.ts` | `SameThreadPinoStream` |
 * | `createPinoTransport({ …, onDrop })` | a worker of this package, with hooks on the main thread | `OwnWorkerPinoStream` |
 * | `createPinoStream({ … })` | the thread of the program | `SameThreadPinoStream` |
 */
import type { Writable } from 'node:stream';
import { resolveIngesterOptions } from '../../src/ingest/options.ts';
import { droppingStream } from './dropping-stream.ts';
import { OwnWorkerPinoStream } from './own-worker-stream.ts';
import {
  ADVICE,
  type CreatePinoTransportOptions,
  type PinoStreamOptions,
  type PinoTransportOptions,
  resolveCreatePinoTransportOptions,
  resolvePinoTransportOptions,
} from './pino-options.ts';
import { type PinoStream, SameThreadPinoStream } from './pino-stream.ts';
import {
  configureFromPino,
  connectToProgram,
  deliverFirstLines,
  isPinoWorker,
  reportStartError,
} from './pino-worker-side.ts';

export type * from '../../src/ingest/kit/public-types.ts';
export { type TraceApi, type TraceFields, traceFields } from '../../src/ingest/kit/trace-fields.ts';
export type { OverflowPolicy } from '../../src/ingest/options.ts';
export type { DeliveryHooks } from '../../src/ingest/report/delivery-emitter.ts';
export type { DroppedRecords } from '../../src/ingest/report/delivery-event.ts';
export { flush } from './flush.ts';
export { type FlushOnSignalsOptions, flushOnSignals } from './flush-on-signals.ts';
export type { CreatePinoTransportOptions, PinoStream, PinoStreamOptions, PinoTransportOptions };

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
  const stream = new SameThreadPinoStream(resolvePinoTransportOptions(options), BACKPRESSURE);
  connectToProgram(stream);
  await configureFromPino(stream);
  deliverFirstLines(stream);
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
    reportStartError(error);
    return droppingStream();
  }
}

/**
 * Creates a stream that delivers from a worker of this package. Hooks run on the main thread, even during
 * `process.exit()`. If the worker crashes or can't be started, delivery continues on the main thread. Close it with
 * `stream.end()`. `logger.flush(callback)` calls back when everything is delivered.
 *
 * @throws LogOptionsException
 */
export function createPinoTransport(options: CreatePinoTransportOptions = {}): PinoStream {
  return new OwnWorkerPinoStream(resolveCreatePinoTransportOptions(options));
}

/**
 * Creates a stream that delivers from the main thread, for serverless functions. Close it with `stream.end()`.
 * `logger.flush(callback)` calls back when everything is delivered.
 *
 * @throws LogOptionsException
 */
export function createPinoStream(options: PinoStreamOptions = {}): PinoStream {
  return new SameThreadPinoStream(resolveIngesterOptions(options, 'createPinoStream', { advice: ADVICE }));
}
