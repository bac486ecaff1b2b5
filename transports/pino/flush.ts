import { LogOptionsException } from '../../src/errors.ts';
import { keepAlive } from '../../src/internal/keep-alive.ts';
import { MAX_TIMER_MS } from '../../src/internal/timer-limit.ts';
import { type EndableStream, streamsOf } from './flush-on-signals.ts';
import { FLUSH_CODE, FLUSHED_EVENT, FLUSHING_EVENT, type FlushAnswer } from './pino-worker-port.ts';

/** What `pino.transport` returns. */
interface WorkerStream extends EndableStream {
  readonly ready: boolean;
  readonly writableEnded: boolean;
  flush(callback: () => void): void;
  flushSync(): void;
  emit(event: 'message', message: object): boolean;
  on(event: string, listener: (answer: FlushAnswer) => void): unknown;
  once(event: string, listener: () => void): unknown;
  off(event: string, listener: (answer: FlushAnswer) => void): unknown;
}

/** A worker answers at once; one that has no stream of this package never does. */
const ANSWER_TIMEOUT_MS = 3_000;

let lastId = 0;

/**
 * Resolves when all records logged before the call are delivered or dropped, or after `closeTimeoutMs` without
 * progress. Unlike `logger.flush(callback)`, it works with multiple `targets`, levels and pipelines. It does not wait
 * for pipeline streams that hold lines longer than one turn of the event loop. With the first releases of pino 8
 * (thread-stream before 2.4.1), it only waits until the worker has read the records.
 *
 * @param target a pino logger, or the stream returned by `pino.transport`, `pino.multistream`, `createPinoTransport` or
 * `createPinoStream`.
 * @throws LogOptionsException for any other target.
 */
export async function flush(target: object): Promise<void> {
  const streams = streamsOf(target);
  if (streams.length === 0) {
    throw new LogOptionsException(
      'flush: pass a pino logger, or the stream returned by pino.transport() or pino.multistream().',
    );
  }
  await Promise.all(streams.map(flushStream));
}

async function flushStream(stream: EndableStream): Promise<void> {
  if (stream.destroyed || stream.flush === undefined) return;
  if (!isWorkerStream(stream)) {
    await new Promise<void>((resolve) => stream.flush?.(() => resolve()));
    return;
  }
  let onClose = (): void => {};
  const closed = new Promise<void>((resolve) => {
    onClose = resolve;
    stream.once('close', onClose);
  });
  // pino's worker does not hold the process.
  const flushed = stream.writableEnded ? closed : Promise.race([closed, flushWorker(stream)]);
  await keepAlive(flushed, MAX_TIMER_MS);
  stream.off('close', onClose);
}

function isWorkerStream(stream: EndableStream): stream is WorkerStream {
  return 'worker' in stream && 'flushSync' in stream && 'ready' in stream;
}

async function flushWorker(stream: WorkerStream): Promise<void> {
  if (!stream.ready) await new Promise<void>((resolve) => stream.once('ready', resolve));
  await new Promise<void>((resolve) => stream.flush(() => resolve()));
  const answer = await askWorker(stream);
  if (answer !== undefined && flushesAll(answer)) return;
  try {
    stream.flushSync();
  } catch {
    // The worker is dying or stuck; it answers, or it is closed.
  }
  if (answer !== undefined) await askWorker(stream);
}

/** Before thread-stream 4, its flush leaves out what has not been given to the worker. */
function flushesAll({ threadStreamVersion }: FlushAnswer): boolean {
  return Number.parseInt(threadStreamVersion, 10) >= 4;
}

/**
 * thread-stream has flushed what pino has put before our streams. Behind that, they flush themselves when asked.
 *
 * @returns `undefined` when no stream of this package answers.
 */
function askWorker(stream: WorkerStream): Promise<FlushAnswer | undefined> {
  const id = ++lastId;
  return new Promise((resolve) => {
    let answers = 0;
    const done = (answer?: FlushAnswer): void => {
      clearTimeout(timer);
      stream.off(FLUSHING_EVENT, onFlushing);
      stream.off(FLUSHED_EVENT, onFlushed);
      resolve(answer);
    };
    const onFlushing = (answer: FlushAnswer): void => {
      if (answer.id !== id) return;
      answers++; // One for each copy of this package in the worker.
      clearTimeout(timer);
    };
    const onFlushed = (answer: FlushAnswer): void => {
      if (answer.id === id && --answers === 0) done(answer);
    };
    const timer = setTimeout(() => done(), ANSWER_TIMEOUT_MS);
    stream.on(FLUSHING_EVENT, onFlushing);
    stream.on(FLUSHED_EVENT, onFlushed);
    // Older ones pass no messages on.
    if (!stream.emit('message', { code: FLUSH_CODE, id })) done();
  });
}
