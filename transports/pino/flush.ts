import { EventEmitter } from 'node:events';
import { keepAlive } from '../../src/core/keep-alive.ts';
import { writeErrorLine } from '../../src/core/stderr-line.ts';
import { tryOr } from '../../src/core/try-or.ts';
import { markTransport } from '../../src/ingest/report/transport-mark.ts';
import { type EndableStream, streamsOf } from './logger-streams.ts';
import {
  EXIT_CODE,
  FLUSH_CODE,
  FLUSHED_EVENT,
  FLUSHING_EVENT,
  type FlushRequest,
  type FlushResponse,
} from './pino-worker-side.ts';

/** The stream that `pino.transport` returns. */
interface WorkerStream extends EndableStream {
  readonly ready: boolean;
  readonly writableEnded: boolean;
  flush(callback: () => void): void;
  flushSync(): void;
  emit(event: 'message', message: FlushRequest | { readonly code: typeof EXIT_CODE }): boolean;
  on(event: string, listener: (response: FlushResponse) => void): unknown;
  once(event: string, listener: () => void): unknown;
  off(event: string, listener: (response: FlushResponse) => void): unknown;
}

/** Any object but a winston logger, for which the compiler prints what to do. */
export type FlushTarget<T> = T extends { readonly transports: readonly unknown[] }
  ? 'This is a winston logger: call flush() of its LogTransport.'
  : T;

/** Workers respond immediately, unless they contain no stream of this package. */
const RESPONSE_TIMEOUT_MS = 3_000;

let lastId = 0;

/** Streams that are being flushed: pino refers to them weakly, and without its stream a flush would never end. */
const flushing = new Set<{ readonly stream: EndableStream }>();

/**
 * Sends queued records, like `Ingester.flush`. Unlike `logger.flush(callback)`, it works with multiple `targets`, levels
 * and pipelines. It does not wait for pipeline streams that hold lines longer than one turn of the event loop. With the
 * first releases of pino 8 (thread-stream before 2.4.1), it only waits until the worker has read the records.
 *
 * @param target a pino logger, or the stream returned by `pino.transport`, `pino.multistream`, `createPinoTransport` or
 * `createPinoStream`.
 * @returns true when all records logged before the call are delivered or dropped; false after `closeTimeoutMs` without
 * progress, if the transport could not start, and if its worker doesn't respond.
 * @throws LogOptionsException for any other target.
 */
export async function flush<T extends object>(target: FlushTarget<T>): Promise<boolean> {
  // pino's worker does not keep the process alive.
  const flushes = streamsOf('flush', target).map((stream) => flushStream(stream));
  return (await keepAlive(Promise.all(flushes))).every(Boolean);
}

/** Like {@link flush} for one stream, but doesn't keep the process alive. If it is exiting, its worker flushes and ends in time. */
export async function flushStream(stream: EndableStream, isExiting = false): Promise<boolean> {
  if (stream.destroyed || stream.flush === undefined) return true;
  if (!isWorkerStream(stream)) {
    let result: unknown;
    await new Promise<void>((resolve) => {
      result = stream.flush?.(() => resolve());
    });
    return (await result) !== false;
  }
  const held = { stream };
  flushing.add(held);
  allowListeners(stream, 1);
  let onClose = (): void => {};
  const closed = new Promise<true>((resolve) => {
    onClose = () => resolve(true);
    stream.once('close', onClose);
  });
  const isFlushed = await (stream.writableEnded
    ? closed
    : Promise.race([closed, flushWorker(stream, isExiting)]));
  stream.off('close', onClose);
  allowListeners(stream, -1);
  flushing.delete(held);
  return isFlushed;
}

/** Changes the number of listeners at which Node warns of a leak: several flushes at once are none. */
function allowListeners(stream: WorkerStream, change: number): void {
  if (!(stream instanceof EventEmitter)) return;
  const limit = stream.getMaxListeners();
  if (limit > 0) stream.setMaxListeners(limit + change);
}

/** Drops and reports what a worker can't deliver in time, or leaves it in the spool. */
export async function abandonStream(
  stream: EndableStream,
  report: (line: string) => unknown = writeErrorLine,
): Promise<void> {
  if (!isWorkerStream(stream) || stream.destroyed) return;
  if (stream.ready) await requestFlush(stream, { isLast: true });
  else report("logclient: pino's worker had not started at Ctrl-C. All records are lost.");
}

export function isWorkerStream(stream: EndableStream): stream is WorkerStream {
  return 'worker' in stream && 'flushSync' in stream && 'ready' in stream;
}

async function flushWorker(stream: WorkerStream, isExiting: boolean): Promise<boolean> {
  if (!stream.ready) await new Promise<void>((resolve) => stream.once('ready', resolve));
  // Waiting here would delay the end of the worker, whose time counts from now on.
  if (isExiting) return stream.emit('message', { code: EXIT_CODE });
  await new Promise<void>((resolve) => stream.flush(() => resolve()));
  let response = await requestFlush(stream, { isUseful: flushesAll });
  if (response !== undefined && !flushesAll(response)) {
    // Throws if the worker is exiting or stuck: then it responds, or the stream is closed.
    tryOr(undefined, () => stream.flushSync());
    response = await requestFlush(stream);
  }
  return response?.isFlushed === true;
}

/** Before version 4, thread-stream's `flush` excludes lines that it has not written to the shared memory. */
function flushesAll({ threadStreamVersion }: FlushResponse): boolean {
  return Number.parseInt(threadStreamVersion, 10) >= 4;
}

/** Flushes the streams of this package in the worker, if `isUseful`. @returns `undefined` if none responds. */
function requestFlush(
  stream: WorkerStream,
  { isUseful = (_: FlushResponse): boolean => true, isLast = false } = {},
): Promise<FlushResponse | undefined> {
  const id = ++lastId;
  return new Promise((resolve) => {
    let pending = 0;
    let isFlushed = true;
    const done = (response?: FlushResponse): void => {
      clearTimeout(timer);
      stream.off(FLUSHING_EVENT, onFlushing);
      stream.off(FLUSHED_EVENT, onFlushed);
      resolve(response);
    };
    const onFlushing = (response: FlushResponse): void => {
      if (response.id !== id) return;
      pending++; // Each copy of this package in the worker responds.
      clearTimeout(timer);
      if (!isUseful(response)) done(response);
    };
    const onFlushed = (response: FlushResponse): void => {
      if (response.id !== id) return;
      isFlushed &&= response.isFlushed === true;
      markTransport(stream, ...(response.addresses ?? []));
      if (--pending === 0) done({ ...response, isFlushed });
    };
    const timer = setTimeout(() => done(), RESPONSE_TIMEOUT_MS);
    stream.on(FLUSHING_EVENT, onFlushing);
    stream.on(FLUSHED_EVENT, onFlushed);
    // Older versions of thread-stream do not forward messages.
    if (!stream.emit('message', { code: FLUSH_CODE, id, isLast })) done();
  });
}
