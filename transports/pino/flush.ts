import { LogOptionsException } from '../../src/errors.ts';
import { holdProcess } from '../../src/internal/process-hold.ts';
import { type EndableStream, streamsOf } from './flush-on-signals.ts';
import { FLUSH_CODE, FLUSHED_EVENT, FLUSHING_EVENT } from './pino-worker-port.ts';

/** What `pino.transport` returns. */
interface WorkerStream extends EndableStream {
  readonly ready: boolean;
  readonly writableEnded: boolean;
  flush(callback: () => void): void;
  flushSync(): void;
  emit(event: 'message', message: object): boolean;
  on(event: string, listener: (id: unknown) => void): unknown;
  once(event: string, listener: () => void): unknown;
  off(event: string, listener: (id: unknown) => void): unknown;
}

/** A worker answers at once; one that has no stream of this package never does. */
const ANSWER_TIMEOUT_MS = 3_000;

const MAX_TIMER_MS = 2 ** 31 - 1;

let lastId = 0;

/**
 * Resolves when everything that was logged before is delivered or given up; in an outage when nothing has been
 * delivered for `closeTimeoutMs`. Unlike `logger.flush(callback)`, it reaches the streams of this package behind several
 * `targets`, levels and pipelines. A pipeline's own stream that keeps lines back for longer than a turn of the event
 * loop is not waited for. The first releases of pino 8, with a thread-stream before 2.4.1, only tell when the worker has
 * read what was logged.
 *
 * @param target a pino logger, or what `pino.transport`, `pino.multistream`, `createPinoTransport` or `createPinoStream`
 * returns.
 * @throws LogOptionsException for anything else.
 */
export async function flush(target: object): Promise<void> {
  const streams = streamsOf(target);
  if (streams.length === 0) {
    throw new LogOptionsException(
      'flush needs a pino logger, or what pino.transport() or pino.multistream() returns.',
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
  await holdProcess(flushed, MAX_TIMER_MS);
  stream.off('close', onClose);
}

function isWorkerStream(stream: EndableStream): stream is WorkerStream {
  return 'worker' in stream && 'flushSync' in stream && 'ready' in stream;
}

async function flushWorker(stream: WorkerStream): Promise<void> {
  if (!stream.ready) await new Promise<void>((resolve) => stream.once('ready', resolve));
  await new Promise<void>((resolve) => stream.flush(() => resolve()));
  try {
    // Before thread-stream 4, flush leaves out what has not been given to the worker.
    stream.flushSync();
  } catch {
    // The worker is dying or stuck; it answers, or it is closed.
  }
  await askWorker(stream);
}

/** thread-stream has flushed what pino has put before our streams. Behind that, they flush themselves when asked. */
function askWorker(stream: WorkerStream): Promise<void> {
  const id = ++lastId;
  return new Promise((resolve) => {
    let answers = 0;
    const done = (): void => {
      clearTimeout(timer);
      stream.off(FLUSHING_EVENT, onFlushing);
      stream.off(FLUSHED_EVENT, onFlushed);
      resolve();
    };
    const onFlushing = (of: unknown): void => {
      if (of !== id) return;
      answers++; // One for each copy of this package in the worker.
      clearTimeout(timer);
    };
    const onFlushed = (of: unknown): void => {
      if (of === id && --answers === 0) done();
    };
    const timer = setTimeout(done, ANSWER_TIMEOUT_MS);
    stream.on(FLUSHING_EVENT, onFlushing);
    stream.on(FLUSHED_EVENT, onFlushed);
    // Older ones pass no messages on.
    if (!stream.emit('message', { code: FLUSH_CODE, id })) done();
  });
}
