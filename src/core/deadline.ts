import { unrefTimer } from './clock.ts';
import { LogTimeoutException } from './errors.ts';
import { forwardAbort } from './forward-abort.ts';

export interface DeadlineOptions {
  /** The caller's signal; its reason becomes that of the deadline's signal. */
  signal?: AbortSignal | undefined;
  /** Milliseconds until the signal aborts with a {@link LogTimeoutException}. `undefined` or `Infinity`: never. */
  timeoutMs?: number | undefined;
  /** What timed out, for the message: `POST /api/v1/…`. */
  what: string;
  /** Whether the timer lets the process exit. @default false */
  background?: boolean | undefined;
}

/** A signal that aborts when the caller aborts or the time is up. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** Removes the time limit; the caller's signal still applies. */
  clearTimeout(): void;
  /** Starts the time limit anew. */
  restart(): void;
  /** Aborts the signal with this reason. */
  abort(reason: Error): void;
}

/** Combines a caller's signal and a time limit. Dispose of it to remove its listener from the caller's signal. */
export function startDeadline({
  signal,
  timeoutMs = Number.POSITIVE_INFINITY,
  what,
  background = false,
}: DeadlineOptions): Deadline {
  const controller = new AbortController();
  const unlink = forwardAbort(signal, controller);
  const onTimeout = (): void => {
    unlink();
    const message = `${what} took longer than ${timeoutMs} ms (timeoutMs).`;
    controller.abort(new LogTimeoutException(message, timeoutMs));
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = (): void => {
    clearTimeout(timer);
    if (Number.isFinite(timeoutMs)) timer = setTimeout(onTimeout, timeoutMs);
    if (background && timer !== undefined) unrefTimer(timer);
  };
  restart();
  return {
    signal: controller.signal,
    clearTimeout: () => clearTimeout(timer),
    restart,
    abort: (reason) => controller.abort(reason),
    [Symbol.dispose]() {
      clearTimeout(timer);
      unlink();
    },
  };
}
