import { refuseUnknownOptions, requireInteger } from '../../src/core/option-checks.ts';
import { writeErrorLine } from '../../src/core/stderr-line.ts';
import {
  type FlushSignal,
  resolveFlushSignals,
  watchSignals,
} from '../../src/ingest/process/process-signals.ts';
import { recordsWere } from '../../src/ingest/report/delivery-accounting.ts';
import { settlesWithin } from '../../src/ingest/settles-within.ts';
import { abandonStream, type FlushTarget, flushStream, isWorkerStream } from './flush.ts';
import { type EndableStream, streamsOf } from './logger-streams.ts';

/** Options of {@link flushOnSignals}. */
export interface FlushOnSignalsOptions {
  /** Signals to handle. @default SIGTERM and SIGINT */
  signals?: readonly FlushSignal[] | undefined;
  /** Maximum time to wait for delivery before exiting, in milliseconds. At most 9,500. @default 9_000 */
  timeoutMs?: number | undefined;
}

const OWNER = 'flushOnSignals';

/** Of the second that a person waits after Ctrl-C. The rest is for the report of what is lost. */
const INTERRUPTED_MS = 800;

/**
 * Delivers queued records of a `pino.transport` logger when the process receives a signal, then exits with the signal.
 * Needed because pino's worker receives no signals. If your program handles the signal itself, records are flushed and
 * your handler decides when to exit.
 *
 * @param target a pino logger, or the stream returned by `pino.transport` or `pino.multistream`.
 * @returns a function that removes the signal handlers.
 * @throws LogOptionsException for any other target, and for invalid options.
 */
export function flushOnSignals<T extends object>(
  target: FlushTarget<T>,
  options: FlushOnSignalsOptions = {},
): () => void {
  refuseUnknownOptions(OWNER, options, ['signals', 'timeoutMs']);
  const { signals: names, timeoutMs: limitMs = 9_000 } = options;
  const timeoutMs = requireInteger(OWNER, 'timeoutMs', limitMs, { min: 1, max: 9_500 });
  const signals = resolveFlushSignals(OWNER, names);
  const streams = streamsOf(OWNER, target);
  return watchSignals(
    {
      flush: () => Promise.all(streams.map((stream) => flushStream(stream, true))),
      endDelivery: (signal) =>
        Promise.all(
          streams.map((stream) => (signal === 'SIGINT' ? interrupt(stream) : end(stream, timeoutMs))),
        ),
    },
    signals,
  );
}

/** {@link end} would block this thread, for longer than a person waits after Ctrl-C. */
async function interrupt(stream: EndableStream): Promise<void> {
  const reportLater = refuseLines(stream);
  await settlesWithin(flushStream(stream), INTERRUPTED_MS);
  await abandonStream(stream);
  reportLater();
}

async function end(stream: EndableStream, timeoutMs: number): Promise<void> {
  if (stream.destroyed) return;
  // Files, for example, accept lines until the process exits.
  if (stream.flush && !isWorkerStream(stream)) return settlesWithin(flushStream(stream), timeoutMs);
  const closed = new Promise<void>((resolve) => stream.once('close', resolve));
  // An error, such as that of a worker which doesn't end, would end the process.
  stream.on('error', () => {});
  stream.end();
  const reportLater = refuseLines(stream);
  await settlesWithin(closed, timeoutMs);
  reportLater();
}

/** Counts what is logged from now on, which an ending worker would lose silently; files go on. @returns what reports it. */
function refuseLines(stream: EndableStream): () => void {
  let lines = 0;
  if (isWorkerStream(stream)) stream.write = () => ++lines > 0;
  return () => {
    if (lines > 0) writeErrorLine(`logclient: ${recordsWere(lines)} dropped: logged after the signal.`);
  };
}
