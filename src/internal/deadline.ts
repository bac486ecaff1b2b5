import { LogTimeoutException } from '../errors.ts';

export interface DeadlineOptions {
  /** The caller's signal; its reason becomes the reason of the deadline's signal. */
  signal?: AbortSignal | undefined;
  /** Milliseconds until the signal aborts with a {@link LogTimeoutException}; `undefined` or `Infinity`: never. */
  timeoutMs?: number | undefined;
  /** What timed out, for the message: `POST /api/v1/…`. */
  what: string;
}

/** A signal that aborts when the caller aborts or the time is up. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** Lifts the time limit; the caller's signal still counts. */
  clearTimeout(): void;
}

/**
 * Joins a caller's signal and a time limit.
 *
 * `AbortSignal.any` would do, but keeps its result reachable from a long-lived signal for as long as that lives;
 * disposing of a deadline takes its listener off at once.
 */
export function startDeadline({ signal, timeoutMs, what }: DeadlineOptions): Deadline {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });

  const limited = timeoutMs !== undefined && Number.isFinite(timeoutMs);
  const timer = limited
    ? setTimeout(() => controller.abort(timeoutException(what, timeoutMs)), timeoutMs)
    : undefined;
  return {
    signal: controller.signal,
    clearTimeout: () => clearTimeout(timer),
    [Symbol.dispose]() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

function timeoutException(what: string, timeoutMs: number): LogTimeoutException {
  return new LogTimeoutException(`${what} took longer than ${timeoutMs} ms (timeoutMs).`, timeoutMs);
}
