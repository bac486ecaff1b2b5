import type { BrowserGlobals } from './browser-globals.ts';
import { withoutQueries } from './serialize.ts';

const REPEAT_MS = 1_000;

/** Logs the errors of the page. Shared by all copies of this module, because hot reloading loads it again. */
const CAPTURE = Symbol.for('logclient.capture');

type Log = (message: string, fields: object) => void;

/**
 * Logs uncaught errors and unhandled rejections, in place of the logger that did before. An error in a loop becomes one
 * record per second, with the number of times since the last record.
 *
 * @returns the function that ends it.
 */
export function captureErrors(
  globals: BrowserGlobals & { [CAPTURE]?: Log | undefined },
  log: Log,
): () => void {
  if (!(CAPTURE in globals)) listen(globals, (message, fields) => globals[CAPTURE]?.(message, fields));
  globals[CAPTURE] = log;
  return () => {
    if (globals[CAPTURE] === log) globals[CAPTURE] = undefined;
  };
}

function listen(globals: BrowserGlobals, log: Log): void {
  /** Errors of the last second. */
  const latest = new Map<string, { repeated: number; report(): void }>();

  const capture = (text: unknown, origin: string, error: unknown): void => {
    const message = withoutQueries(text);
    const key = [origin, message, (error as Error | null)?.stack].join();
    const known = latest.get(key);
    if (known) {
      known.repeated++;
      return;
    }
    const entry = {
      repeated: 0,
      report() {
        const reason = typeof error === 'string' ? withoutQueries(error) : error;
        log(message, { origin, error: reason, repeated: entry.repeated || undefined });
        entry.repeated = 0;
        globals.setTimeout(() => (entry.repeated ? entry.report() : latest.delete(key)), REPEAT_MS);
      },
    };
    latest.set(key, entry);
    entry.report();
  };

  globals.addEventListener('error', ({ message, error, filename, lineno }) => {
    capture(message, 'error', error ?? { filename: withoutQueries(filename), lineno });
  });
  globals.addEventListener('unhandledrejection', ({ reason }) => {
    const text = (reason as Error | undefined)?.message ?? reason;
    capture(`Unhandled rejection: ${text}`, 'unhandledrejection', reason);
  });
  globals.addEventListener('pagehide', () => {
    for (const entry of latest.values()) if (entry.repeated) entry.report();
  });
}
