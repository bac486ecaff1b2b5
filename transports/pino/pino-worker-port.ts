import { parentPort, workerData } from 'node:worker_threads';
import type { PinoConfig } from './pino-event.ts';
import type { PinoStream } from './pino-stream.ts';

/** What pino's worker, which is one of thread-stream, is started with. */
interface ThreadStreamData {
  readonly workerData?: {
    readonly $context?: { readonly threadStreamVersion?: string };
    readonly pinoWillSendConfig?: boolean;
  };
}

/** What {@link flush} asks a worker, and what it is answered: each time a {@link FlushAnswer}. */
export const FLUSH_CODE = 'LOGCLIENT_FLUSH';
export const FLUSHING_EVENT = 'logclient:flushing';
export const FLUSHED_EVENT = 'logclient:flushed';

interface FlushableStream {
  readonly stats: { readonly accepted: number };
  flush(callback: () => void): void;
  once(event: 'close', listener: () => void): unknown;
}

export interface FlushAnswer {
  /** That of the question. */
  readonly id: unknown;
  readonly threadStreamVersion: string;
}

/** The lines of pino's worker have arrived when none has come for so many turns of its event loop. */
const QUIET_TURNS = 5;

const data = (workerData as ThreadStreamData | null)?.workerData;
const streams = new Set<FlushableStream>();

/**
 * The logger's configuration, as soon as pino sends it. `undefined` outside of pino's worker, and for a pino that does not
 * send it.
 */
export function pinoConfig(): Promise<PinoConfig> | undefined {
  if (data?.pinoWillSendConfig !== true) return undefined;
  return new Promise((resolve) => {
    const onMessage = (message: { code?: unknown; config?: PinoConfig } | undefined): void => {
      if (message?.code !== 'PINO_CONFIG' || message.config === undefined) return;
      parentPort?.off('message', onMessage);
      resolve(message.config);
    };
    parentPort?.on('message', onMessage);
  });
}

/** True in a worker that was started by `pino.transport`. */
export function isPinoWorker(): boolean {
  return parentPort !== null && data !== undefined;
}

/**
 * Emits an error on what `pino.transport()` has returned in the program's thread. The transport stays open, because it may
 * have other targets.
 */
export function reportStartError(error: unknown, stream: FlushableStream): void {
  if (!passesEvents()) parentPort?.postMessage({ code: 'ERROR', err: error });
  else {
    emit('error', error);
    answerFlush(stream);
  }
}

/**
 * Emits a stream's events on what `pino.transport()` has returned in the program's thread, too, and lets it be flushed
 * from there.
 */
export function connectToProgram(stream: PinoStream): void {
  if (!passesEvents()) return;
  for (const name of ['drop', 'warn', 'recovered', 'stats']) {
    stream.on(name, (value: unknown) => emit(name, value));
  }
  answerFlush(stream);
}

/** thread-stream before 2.2 would end the program on a message that it doesn't know. */
function passesEvents(): boolean {
  return parentPort !== null && data?.$context?.threadStreamVersion !== undefined;
}

function answerFlush(stream: FlushableStream): void {
  if (streams.size === 0) parentPort?.on('message', onMessage);
  streams.add(stream);
  stream.once('close', () => streams.delete(stream));
}

function onMessage(message: { code?: unknown; id?: unknown } | undefined): void {
  if (message?.code !== FLUSH_CODE) return;
  const answer: FlushAnswer = {
    id: message.id,
    threadStreamVersion: data?.$context?.threadStreamVersion ?? '',
  };
  emit(FLUSHING_EVENT, answer);
  void flushAll().then(() => emit(FLUSHED_EVENT, answer));
}

/** With several targets, lines take a few turns from thread-stream to us, and more through the streams of a pipeline. */
async function flushAll(): Promise<void> {
  const accepted = (): number => [...streams].reduce((sum, stream) => sum + stream.stats.accepted, 0);
  for (let quiet = 0, before = accepted(); quiet < QUIET_TURNS; quiet++) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = accepted();
    if (now !== before) quiet = 0;
    before = now;
  }
  await Promise.all([...streams].map((stream) => new Promise<void>((resolve) => stream.flush(resolve))));
}

function emit(name: string, value: unknown): void {
  parentPort?.postMessage({ code: 'EVENT', name, args: [value] });
}
