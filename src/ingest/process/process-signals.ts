import { constants } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import { LogOptionsException } from '../../errors.ts';
import { describe, requireOneOf } from '../../internal/option-checks.ts';

const FLUSH_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGBREAK'] as const;

/** A signal that asks a process to exit and leaves time for delivery. */
export type FlushSignal = (typeof FLUSH_SIGNALS)[number];

/** Somebody who may have something left to deliver when a signal ends the process. Nothing of it may reject. */
export interface SignalListener {
  /** The program deals with the signal itself, and may end at any moment. */
  flush(): Promise<unknown>;
  /** The process ends when this resolves. Must be bounded. */
  close(): Promise<unknown>;
}

/** In case somebody does not keep to a bound. Whoever stops a process loses patience after ten seconds. */
const MAX_CLOSE_MS = 9_500;

/** A signal that does not end the process by now never will: the first process of a container is immune to its own. */
const IMMUNITY_MS = 200;

const listeners = new Map<FlushSignal, Set<SignalListener>>();

/**
 * Tells `listener` of signals. When the program has no listener of its own for a signal, all are closed, and the
 * process ends by the signal, as it would have at once; a second signal does not wait. When the program has one, the
 * end is its affair.
 *
 * All share one listener of the process for each signal, which is there only while somebody watches. Only the main
 * thread hears of signals.
 *
 * @returns what ends the watch
 */
export function watchSignals(listener: SignalListener, signals: readonly FlushSignal[]): () => void {
  if (isMainThread) for (const signal of signals) watch(listener, signal);
  return () => {
    for (const signal of signals) unwatch(listener, signal);
  };
}

/**
 * @param value `true` for SIGTERM and SIGINT, or the signals themselves.
 * @throws LogOptionsException
 */
export function resolveFlushSignals(owner: string, value: unknown = false): readonly FlushSignal[] {
  if (value === false) return [];
  if (value === true) return ['SIGTERM', 'SIGINT'];
  if (Array.isArray(value)) {
    return value.map((signal, index) =>
      requireOneOf(owner, `flushOnSignals[${index}]`, signal, FLUSH_SIGNALS),
    );
  }
  throw new LogOptionsException(
    `${owner}: "flushOnSignals" must be true, false or an array of signals (got ${describe(value)}).`,
  );
}

function watch(listener: SignalListener, signal: FlushSignal): void {
  const watching = listeners.get(signal);
  if (watching !== undefined) {
    watching.add(listener);
    return;
  }
  listeners.set(signal, new Set([listener]));
  // In front, to see a `once` listener of the program before it is gone.
  process.prependListener(signal, onSignal);
}

function unwatch(listener: SignalListener, signal: FlushSignal): void {
  const watching = listeners.get(signal);
  if (!watching?.delete(listener) || watching.size > 0) return;
  listeners.delete(signal);
  process.off(signal, onSignal);
}

function onSignal(name: NodeJS.Signals): void {
  const signal = name as FlushSignal;
  if (process.listenerCount(signal) > 1) {
    for (const listener of listeners.get(signal) ?? []) void listener.flush();
  } else {
    // From now on the signal has its usual effect.
    process.off(signal, onSignal);
    void closeAll(signal).then(() => endBy(signal));
  }
}

async function closeAll(signal: FlushSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, MAX_CLOSE_MS); // Holds the process meanwhile.
  });
  await Promise.race([closeEach(signal), timeout]);
  clearTimeout(timer);
}

async function closeEach(signal: FlushSignal): Promise<void> {
  // What the program logs meanwhile may bring new listeners.
  for (let left = listeners.get(signal); left !== undefined && left.size > 0; left = listeners.get(signal)) {
    const closing = [...left];
    for (const listener of closing) unwatch(listener, signal);
    await Promise.all(closing.map((listener) => listener.close()));
  }
}

function endBy(signal: FlushSignal): void {
  process.off(signal, onSignal);
  if (process.listenerCount(signal) > 0) return; // The program has made it its own affair meanwhile.
  process.kill(process.pid, signal);
  setTimeout(() => {
    if (process.listenerCount(signal) === 0) process.exit(128 + constants.signals[signal]);
  }, IMMUNITY_MS);
}
