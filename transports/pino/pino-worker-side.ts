import { parentPort, workerData } from 'node:worker_threads';
import { LogOptionsException } from '../../src/core/errors.ts';
import { askToExit } from '../../src/ingest/process/process-exit.ts';
import { addressesOf } from '../../src/ingest/report/transport-mark.ts';
import { settlesWithin } from '../../src/ingest/settles-within.ts';
import { onPinoConfig } from './pino-mapper.ts';
import { SameThreadPinoStream } from './pino-stream.ts';

/** Start data of pino's worker, which thread-stream creates. */
interface ThreadStreamData {
  readonly workerData?: {
    readonly $context?: { readonly threadStreamVersion?: string };
    readonly pinoWillSendConfig?: boolean;
    /** Set if pino writes to several streams, which it opens itself. */
    readonly targets?: unknown;
    readonly pipelines?: unknown;
  };
}

/** Codes of messages to the worker: its process will exit, or a flush, and the events when that starts and when it is done. */
export const EXIT_CODE = 'LOGCLIENT_EXIT';
export const FLUSH_CODE = 'LOGCLIENT_FLUSH';
export const FLUSHING_EVENT = 'logclient:flushing';
export const FLUSHED_EVENT = 'logclient:flushed';

export interface FlushRequest {
  readonly code: typeof FLUSH_CODE;
  readonly id: unknown;
  /** True if no time is left: the rest is dropped and reported, or stays in the spool. */
  readonly isLast: boolean;
}

export interface FlushResponse {
  readonly id: unknown;
  readonly threadStreamVersion: string;
  /** Unknown until the flush is done. */
  readonly isFlushed?: boolean;
  /** Of the streams in the worker. */
  readonly addresses?: readonly string[];
}

/** All lines of pino's worker have arrived when none has arrived for this many turns of its event loop. */
const QUIET_TURNS = 5;

/** Maximum time that the worker waits for pino's configuration. */
const CONFIG_TIMEOUT_MS = 1_000;

/** Maximum time that the delivery of the first lines delays pino's `ready` event. */
const FIRST_DELIVERY_MS = 1_000;

const data = (workerData as ThreadStreamData | null)?.workerData;
const streams = new Set<SameThreadPinoStream>();
/** The last flush of a stream that thread-stream flushes before each of our requests: from 4.1 on, the only stream. */
const flushedByPino = new Map<SameThreadPinoStream, Promise<boolean>>();

/** Waits for the logger's levels, which pino 9 and later send to the worker. */
export async function configureFromPino(stream: SameThreadPinoStream): Promise<void> {
  const port = parentPort;
  if (port === null || data?.pinoWillSendConfig !== true) return;
  const configured = new Promise<void>((resolve) => {
    onPinoConfig(port, (line) => stream.write(`${line}\n`, () => resolve()));
  });
  await settlesWithin(configured, CONFIG_TIMEOUT_MS);
}

/**
 * Delivers the first lines before pino emits `ready`. From then on, pino terminates this worker without notice if the
 * program's logger is garbage, or at the end of the program in Jest. Only the stream that pino writes to can delay it.
 */
export function deliverFirstLines(stream: SameThreadPinoStream): void {
  if (data === undefined || data.targets !== undefined || data.pipelines !== undefined) return;
  const { write } = stream;
  stream.write = (...args: unknown[]): boolean => {
    stream.write = write;
    Reflect.apply(write, stream, args);
    void settlesWithin(flushNow(stream), FIRST_DELIVERY_MS).then(() => stream.emit('drain'));
    return false;
  };
}

/** True in a worker that was started by `pino.transport`. */
export function isPinoWorker(): boolean {
  return parentPort !== null && data !== undefined;
}

/** Emits an error on the transport in the main thread. The transport stays open, because it may have other targets. */
export function reportStartError(error: unknown): void {
  // The stack is that of the worker.
  if (error instanceof LogOptionsException) error.stack = String(error);
  if (!passesEvents()) parentPort?.postMessage({ code: 'ERROR', err: error });
  else {
    emit('error', error);
    acceptFlush();
  }
}

/** Emits a stream's events on the transport in the main thread, too, and makes it flushable from there. */
export function connectToProgram(stream: SameThreadPinoStream): void {
  if (!passesEvents()) return;
  for (const name of ['drop', 'warn', 'recovered', 'stats']) {
    stream.on(name, (value: unknown) => emit(name, value));
  }
  if (streams.size === 0) acceptFlush();
  streams.add(stream);
  stream.once('close', () => streams.delete(stream));
  startFlushesAtOnce(stream);
}

/** thread-stream runs flushes one after another. In an outage, each would wait for another `closeTimeoutMs`. */
function startFlushesAtOnce(stream: SameThreadPinoStream): void {
  const started: Promise<boolean>[] = [];
  stream.flush = async (callback) => {
    const flushed = started.shift() ?? flushNow(stream);
    flushedByPino.set(stream, flushed);
    await flushed;
    callback?.();
    return flushed;
  };
  parentPort?.on('message', (message?: { readonly code?: unknown }) => {
    if (message?.code === 'FLUSH' && flushedByPino.has(stream)) started.push(flushNow(stream));
  });
}

/** Without {@link startFlushesAtOnce}. */
function flushNow(stream: SameThreadPinoStream): Promise<boolean> {
  return SameThreadPinoStream.prototype.flush.call(stream);
}

/** Versions of thread-stream before 2.2 end the program on unknown messages. */
function passesEvents(): boolean {
  return parentPort !== null && data?.$context?.threadStreamVersion !== undefined;
}

function acceptFlush(): void {
  parentPort?.on('message', (message?: FlushRequest | { readonly code: typeof EXIT_CODE }) => {
    if (message?.code === EXIT_CODE) {
      askToExit();
      void flushAll(new Map());
    }
    if (message?.code !== FLUSH_CODE) return;
    const { threadStreamVersion = '' } = data?.$context ?? {};
    const response: FlushResponse = { id: message.id, threadStreamVersion };
    emit(FLUSHING_EVENT, response);
    const addresses = [...streams].flatMap(addressesOf);
    if (message.isLast) for (const stream of streams) stream.pipeline.abandon();
    void flushAll().then((isFlushed) => emit(FLUSHED_EVENT, { ...response, isFlushed, addresses }));
  });
}

/** With several targets, lines need a few turns of the event loop to arrive, and more through a pipeline. False if no transport could start. */
async function flushAll(flushed: ReadonlyMap<unknown, Promise<boolean>> = flushedByPino): Promise<boolean> {
  const accepted = (): number => [...streams].reduce((sum, stream) => sum + stream.stats.accepted, 0);
  for (let quiet = 0, before = accepted(); quiet < QUIET_TURNS; quiet++) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = accepted();
    if (now !== before) quiet = 0;
    before = now;
  }
  const results = await Promise.all([...streams].map((stream) => flushed.get(stream) ?? flushNow(stream)));
  return results.length > 0 && results.every(Boolean);
}

function emit(name: string, value: unknown): void {
  parentPort?.postMessage({ code: 'EVENT', name, args: [value] });
}
