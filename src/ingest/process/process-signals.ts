import { constants } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import { LogOptionsException } from '../../errors.ts';
import { describe, requireOneOf } from '../../internal/option-checks.ts';
import { settlesWithin } from '../../internal/settles-within.ts';

const FLUSH_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGBREAK'] as const;

/** A signal that asks a process to exit and leaves time for delivery. */
export type FlushSignal = (typeof FLUSH_SIGNALS)[number];

/** Delivers pending records when the process receives a signal. Its promises must not reject. */
export interface SignalListener {
  /** Called if the program handles the signal itself, and may exit at any time. */
  flush(): Promise<unknown>;
  /** Called otherwise: the process exits when this resolves. Must be bounded in time. */
  close(): Promise<unknown>;
}

/** What watches the signals, and the listener of the process that calls it. */
interface SharedListeners {
  readonly listeners: Map<FlushSignal, Set<SignalListener>>;
  readonly onSignal: (name: NodeJS.Signals) => void;
}

/** Upper limit, in case a listener does not resolve. Process managers usually kill after ten seconds. */
const MAX_CLOSE_MS = 9_500;

/** Delay before the process exits by itself: a container's first process is immune to its own signals. */
const IMMUNITY_MS = 200;

const SHARED = Symbol.for('logclient.signals');

/** Shared by all copies of this package in the process: to each other, they would look like a program's own listener. */
const shared = globalThis as { [SHARED]?: SharedListeners };
shared[SHARED] ??= { listeners: new Map(), onSignal: handleSignal };
const { listeners, onSignal } = shared[SHARED];

/**
 * Calls `listener` on signals. If the program does not handle a signal itself, all listeners are closed, and the process
 * then exits with the signal; a second signal ends it immediately. If the program handles it, records are flushed and
 * the program decides when to exit.
 *
 * All callers share one listener of the process per signal. Has no effect in workers, which receive no signals.
 *
 * @returns a function that removes the listener.
 */
export function watchSignals(listener: SignalListener, signals: readonly FlushSignal[]): () => void {
  if (isMainThread) for (const signal of signals) watch(listener, signal);
  return () => {
    for (const signal of signals) unwatch(listener, signal);
  };
}

/** @param value `true` for SIGTERM and SIGINT, or the signals. @throws LogOptionsException */
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
  const watching = listeners.get(signal) ?? new Set();
  // First, to count a `once` listener of the program before it is removed.
  if (watching.size === 0) process.prependListener(signal, onSignal);
  listeners.set(signal, watching.add(listener));
}

function unwatch(listener: SignalListener, signal: FlushSignal): void {
  const watching = listeners.get(signal);
  if (!watching?.delete(listener) || watching.size > 0) return;
  listeners.delete(signal);
  process.off(signal, onSignal);
}

function handleSignal(name: NodeJS.Signals): void {
  const signal = name as FlushSignal;
  if (process.listenerCount(signal) > 1) {
    for (const listener of listeners.get(signal) ?? []) void listener.flush();
  } else {
    // A second signal has its default effect.
    process.off(signal, onSignal);
    void settlesWithin(closeAll(signal), MAX_CLOSE_MS).then(() => exitWith(signal));
  }
}

async function closeAll(signal: FlushSignal): Promise<void> {
  // Records that the program logs meanwhile can add listeners.
  for (let left = listeners.get(signal); left !== undefined && left.size > 0; left = listeners.get(signal)) {
    const closing = [...left];
    for (const listener of closing) unwatch(listener, signal);
    await Promise.all(closing.map((listener) => listener.close()));
  }
}

function exitWith(signal: FlushSignal): void {
  process.off(signal, onSignal);
  if (process.listenerCount(signal) > 0) return; // The program handles it now.
  process.kill(process.pid, signal);
  setTimeout(() => {
    if (process.listenerCount(signal) === 0) process.exit(128 + constants.signals[signal]);
  }, IMMUNITY_MS);
}
