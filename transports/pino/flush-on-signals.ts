import { LogOptionsException } from '../../src/errors.ts';
import {
  type FlushSignal,
  resolveFlushSignals,
  watchSignals,
} from '../../src/ingest/process/process-signals.ts';
import { refuseUnknownOptions, requireInteger } from '../../src/internal/option-checks.ts';
import { settlesWithin } from '../../src/internal/settles-within.ts';

/** Options of {@link flushOnSignals}. */
export interface FlushOnSignalsOptions {
  /** Signals to handle. @default SIGTERM and SIGINT */
  signals?: readonly FlushSignal[] | undefined;
  /** Maximum time to wait for delivery before exiting, in milliseconds. At most 9,500. @default 9_000 */
  timeoutMs?: number | undefined;
}

/** Common interface of a logger's streams: pino's worker, a stream of this package, a file. */
export interface EndableStream {
  end(): void;
  flush?(callback: () => void): void;
  on(event: 'error', listener: () => void): unknown;
  once(event: 'close', listener: () => void): unknown;
  readonly destroyed?: boolean;
}

const OWNER = 'flushOnSignals';

/** Description of the symbol that names the stream in a pino logger. */
const STREAM_SYMBOL = 'pino.stream';

/**
 * Delivers queued records of a `pino.transport` logger when the process receives a signal, then exits with the signal.
 * Needed because pino's worker receives no signals. If your program handles the signal itself, records are flushed and
 * your handler decides when to exit.
 *
 * @param target a pino logger, or the stream returned by `pino.transport` or `pino.multistream`.
 * @returns a function that removes the signal handlers.
 * @throws LogOptionsException for any other target, and for invalid options.
 */
export function flushOnSignals(target: object, options: FlushOnSignalsOptions = {}): () => void {
  refuseUnknownOptions(OWNER, options, ['signals', 'timeoutMs']);
  const timeoutMs = requireInteger(OWNER, 'timeoutMs', options.timeoutMs ?? 9_000, { min: 1, max: 9_500 });
  const signals = resolveFlushSignals(OWNER, options.signals ?? true);
  const streams = streamsOf(target);
  if (streams.length === 0) {
    throw new LogOptionsException(
      `${OWNER}: pass a pino logger, or the stream returned by pino.transport() or pino.multistream().`,
    );
  }
  return watchSignals(
    {
      flush: () => Promise.all(streams.map(flush)),
      close: () => Promise.all(streams.map((stream) => end(stream, timeoutMs))),
    },
    signals,
  );
}

/** Finds the streams of a logger, or of a multistream. */
export function streamsOf(target: unknown): EndableStream[] {
  if (typeof target !== 'object' || target === null) return [];
  if ('streams' in target && Array.isArray(target.streams)) {
    return target.streams.flatMap((entry: { stream?: unknown }) => streamsOf(entry.stream));
  }
  if ('end' in target && typeof target.end === 'function') return [target as EndableStream];
  return streamsOf(streamOfLogger(target));
}

/** Child loggers inherit the stream from their parent through the prototype. */
function streamOfLogger(logger: object): unknown {
  for (let owner = logger; owner !== null; owner = Object.getPrototypeOf(owner)) {
    const symbol = Object.getOwnPropertySymbols(owner).find(
      ({ description }) => description === STREAM_SYMBOL,
    );
    if (symbol !== undefined) return (owner as Record<symbol, unknown>)[symbol];
  }
  return undefined;
}

function flush(stream: EndableStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.flush === undefined || stream.destroyed) resolve();
    else stream.flush(() => resolve());
  });
}

function end(stream: EndableStream, timeoutMs: number): Promise<void> {
  if (stream.destroyed) return Promise.resolve();
  const closed = new Promise<void>((resolve) => stream.once('close', resolve));
  // Writing to an ended stream emits an error, which would end the process.
  stream.on('error', () => {});
  stream.end();
  return settlesWithin(closed, timeoutMs);
}
