import { constants } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import { requireArray, requireOneOf } from '../../core/option-checks.ts';
import { realProcess, sharedByCopies } from '../../core/real-process.ts';
import { startRealImmediate, startRealTimer } from '../../core/real-timers.ts';
import { uptimeMs } from '../../core/uptime.ts';
import { settlesWithin } from '../settles-within.ts';
import { askToExit, endProcess, exitTimeLeft, resumeProcess, startExit } from './process-exit.ts';

const FLUSH_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGBREAK'] as const;

/** A signal that asks a process to exit and leaves time for delivery. */
export type FlushSignal = (typeof FLUSH_SIGNALS)[number];

/** Delivers pending records when the process receives a signal. Its promises must not reject. */
export interface SignalListener {
  /** Called if the program handles the signal itself, and may exit at any time. */
  flush(): Promise<unknown>;
  /** Called otherwise: the process exits when this resolves. Must be bounded in time. The program may still log. */
  endDelivery(signal: FlushSignal): Promise<unknown>;
}

interface SignalState {
  readonly listeners: Map<FlushSignal, Set<SignalListener>>;
  /** The listener of the process. */
  readonly onSignal: (name: NodeJS.Signals) => void;
  /** Set once logclient has decided to end the process, in milliseconds of {@link uptimeMs}. */
  endingSince: number | undefined;
}

/** An emitter of the package `signal-exit`, with the number of its listeners for each signal. */
type SignalExit = { readonly count?: number } | undefined;

/** After Ctrl-C, a person waits. */
const MAX_INTERRUPTED_MS = 1_000;

/** Delay before the process exits by itself: a container's first process is immune to its own signals. */
const UNHEARD_MS = realProcess.pid === 1 ? 100 : 2_000;

/** Wrappers and supervisors send a signal twice; a person who repeats it wants the process to end now. */
const REPEAT_MS = 500;
const REPEAT_INTERRUPTED_MS = 250;

/** Shared by all copies of this package: to each other, they would look like a program's own listener. */
const state = sharedByCopies<SignalState>('signals', () => ({
  listeners: new Map(),
  onSignal: handleSignal,
  endingSince: undefined,
}));
const { listeners, onSignal } = state;

/**
 * Calls `listener` on signals. If the program does not handle a signal itself, all listeners deliver, and the process then
 * exits with the signal: after SIGINT, within a second. A signal after more than half a second (SIGINT: a quarter) ends it
 * immediately. If the program handles the signal, records are flushed and the program decides when to exit.
 *
 * All callers share one listener of the process per signal. Has no effect in workers, which receive no signals.
 *
 * @returns a function that removes the listener.
 */
export function watchSignals(listener: SignalListener, signals: readonly FlushSignal[]): () => void {
  for (const signal of isMainThread ? signals : []) {
    listeners.set(signal, (listeners.get(signal) ?? new Set()).add(listener));
    attach(signal);
  }
  return () => {
    for (const signal of signals) unwatch(listener, signal);
  };
}

/** @param value `true` for SIGTERM and SIGINT, or the signals. @throws LogOptionsException */
export function resolveFlushSignals(owner: string, value: unknown = true): readonly FlushSignal[] {
  if (value === false) return [];
  if (value === true) return ['SIGTERM', 'SIGINT'];
  const signals = requireArray(owner, '"flushOnSignals"', value, 'signals, true or false');
  return signals.map((signal, index) =>
    requireOneOf(owner, `flushOnSignals[${index}]`, signal, FLUSH_SIGNALS),
  );
}

function unwatch(listener: SignalListener, signal: FlushSignal): void {
  const watching = listeners.get(signal);
  if (!watching?.delete(listener) || watching.size > 0) return;
  listeners.delete(signal);
  if (state.endingSince === undefined) realProcess.off(signal, onSignal);
}

function attach(signal: FlushSignal): void {
  // First, to count a `once` listener of the program before it is removed.
  if (ownListeners(signal) === 0) realProcess.prependListener(signal, onSignal);
}

function handleSignal(name: NodeJS.Signals): void {
  const signal = name as FlushSignal;
  const watching = [...(listeners.get(signal) ?? [])];
  if (isHandledByProgram(signal)) {
    if (signal !== 'SIGHUP') askToExit(); // After SIGHUP, programs read their configuration again.
    for (const listener of watching) void listener.flush();
    realProcess.off('beforeExit', runOnceMore).once('beforeExit', runOnceMore);
  } else if (state.endingSince === undefined) {
    startExit(uptimeMs(), signal === 'SIGINT' ? MAX_INTERRUPTED_MS : undefined);
    state.endingSince = uptimeMs();
    for (const each of FLUSH_SIGNALS) attach(each); // Pairs can be of different signals.
    // After all other listeners: the end of pino's worker blocks this thread, and one of `tsx` must respond within 60 ms.
    const endAll = (): unknown => Promise.all(watching.map((listener) => listener.endDelivery(signal)));
    const ended = Promise.resolve().then(endAll);
    void settlesWithin(ended, exitTimeLeft(Number.POSITIVE_INFINITY)).then(() => {
      endProcess();
      exitWith(signal);
    });
  } else if (uptimeMs() - state.endingSince > (signal === 'SIGINT' ? REPEAT_INTERRUPTED_MS : REPEAT_MS)) {
    exitWith(signal);
  }
}

/**
 * A program that sends itself the signal again after its cleanup, as Nest does, expects to exit with the signal. Our
 * listener replaces that default, so the event loop must run until it has received the signal.
 */
function runOnceMore(): void {
  startRealImmediate(() => {});
}

/** `signal-exit` leaves a signal to other listeners, including ours, until it is the only one. */
function isHandledByProgram(signal: FlushSignal): boolean {
  const version3 = (realProcess as { __signal_exit_emitter__?: SignalExit }).__signal_exit_emitter__;
  const version4 = (globalThis as { [key: symbol]: SignalExit })[Symbol.for('signal-exit emitter')];
  const waiting = signal === 'SIGBREAK' ? 0 : (version3?.count ?? 0) + (version4?.count ?? 0);
  return realProcess.listenerCount(signal) > ownListeners(signal) + waiting;
}

function ownListeners(signal: FlushSignal): number {
  return realProcess.listeners(signal).filter((listener) => listener === onSignal).length;
}

/** Leaves the signal to its default action, to `signal-exit`, or to a listener that the program has just added. */
function exitWith(signal: FlushSignal): void {
  state.endingSince = undefined; // A listener of the program may send the signal again.
  for (const each of FLUSH_SIGNALS) realProcess.off(each, onSignal);
  const exit = (): void => {
    if (!isHandledByProgram(signal)) realProcess.exit(128 + (constants.signals[signal] ?? 0));
    resumeProcess();
  };
  try {
    realProcess.kill(realProcess.pid, signal);
  } catch {
    exit(); // Windows can't send every signal, and Deno may not permit it.
    return;
  }
  startRealTimer(() => {
    // The signal is lost if a library removes its listener before the event loop has read it.
    if (realProcess.listenerCount(signal) === 0) realProcess.kill(realProcess.pid, signal);
    exit();
  }, UNHEARD_MS);
}
