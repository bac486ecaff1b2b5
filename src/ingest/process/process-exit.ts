import { isWithin } from '../../core/clock.ts';
import { realProcess, sharedByCopies } from '../../core/real-process.ts';
import { uptimeMs } from '../../core/uptime.ts';
import { settlesWithin } from '../settles-within.ts';

/** Delivers pending records when the process exits. Must not throw. */
export interface ProcessExitListener {
  /** Called when the event loop is empty. Must be bounded in time. */
  beforeExit?(): Promise<unknown>;
  /** Called before a test runner ends its worker. Must be bounded in time. Later records are still accepted. */
  endDelivery?(): Promise<unknown>;
  /** Called before any {@link atExit}, to start work in other threads. Must not block. */
  beginExit?(): void;
  /**
   * Called by the `exit` event, and again at its end if the listener still watches. Can block.
   *
   * @param isLast false if `exit` listeners of the program may still log.
   */
  atExit(isLast: boolean): void;
}

interface ExitState {
  readonly listeners: Set<ProcessExitListener>;
  /** When a signal has asked a process to exit that handles it, in milliseconds of {@link uptimeMs}. */
  askedAt: number;
  /** Set when delivery at exit starts. */
  startedAt: number | undefined;
  /** Start and end of the last delivery when the event loop was empty. */
  beforeExit: { readonly since: number; readonly until: number };
  isWatching: boolean;
  /** True while the `exit` event is emitted, if its end will be noticed. */
  isEmitting: boolean;
  hasEnded: boolean;
}

/** Jest's event handlers of a test file, from Jest 30 on. Jest waits for what they return. */
const JEST_HANDLERS = Symbol.for('EVENT_HANDLERS');

/** What test runners give the code in their workers. */
interface TestGlobals {
  readonly __vitest_worker__?: {
    /** Calls `listener`, and waits for it, when all tests of the worker have run. */
    onCleanup?(listener: () => Promise<unknown>): void;
  };
  readonly [JEST_HANDLERS]?: ((event: { readonly name: string }) => unknown)[];
}

/** Maximum duration of an exit, from the signal on. Process managers usually kill after ten seconds. */
const MAX_EXIT_MS = 9_500;

/** Minimum time for an ingester if another one has used up the time: its service may respond. */
const MIN_TURN_MS = 1_500;

/** A process that goes on for longer after a delivery did not exit then. */
const SAME_EXIT_MS = 1_000;

const state = sharedByCopies<ExitState>('exit', () => ({
  listeners: new Set(),
  askedAt: Number.NEGATIVE_INFINITY,
  startedAt: undefined,
  beforeExit: { since: 0, until: Number.NEGATIVE_INFINITY },
  isWatching: false,
  isEmitting: false,
  hasEnded: false,
}));

/** Jest loads a copy of this module for each test file. */
let isWatchingTestFile = false;

/** Milliseconds of `timeoutMs` that are left since this thread started to exit, for all callers together. */
export function exitTimeLeft(timeoutMs: number, now = uptimeMs()): number {
  const passedMs = now - startExit(now);
  return Math.min(MAX_EXIT_MS - passedMs, Math.max(timeoutMs - passedMs, MIN_TURN_MS));
}

/** Starts the time limit of the exit, once. @returns its start, so that at most `limitMs` are left. */
export function startExit(now = uptimeMs(), limitMs = MAX_EXIT_MS): number {
  // Records that are logged last get some time, too.
  const passedMs = Math.min(exitingForMs(now), MAX_EXIT_MS - MIN_TURN_MS);
  state.startedAt ??= now - Math.max(passedMs, MAX_EXIT_MS - limitMs);
  return state.startedAt;
}

/** Called for a signal that the program handles. If it does not exit soon, a later exit has all of its time. */
export function askToExit(now = uptimeMs()): void {
  if (!isWithin(MAX_EXIT_MS, state.askedAt, now)) state.askedAt = now;
}

/** Milliseconds since the process was asked to exit, or started to exit. */
export function exitingForMs(now = uptimeMs()): number {
  const askedAt = isWithin(MAX_EXIT_MS, state.askedAt, now) ? state.askedAt : now;
  return now - (state.startedAt ?? (hasJustEmptied(now) ? state.beforeExit.since : askedAt));
}

/**
 * True shortly after `beforeExit`, and while records are delivered then. What a listener logs in a further `beforeExit` belongs to
 * `exit`: it must not let the event loop run again, because the listener would be called for ever.
 */
export function hasJustEmptied(now = uptimeMs()): boolean {
  return now - state.beforeExit.until < SAME_EXIT_MS;
}

/** Replaced in simulations. */
export const processExit = {
  /**
   * Calls `listener` when the process exits, or immediately if it has already exited. Watches the process once for all
   * callers, permanently.
   */
  watch(listener: ProcessExitListener): void {
    if (!state.isWatching) watchProcess();
    if (!isWatchingTestFile) watchTestFile();
    state.listeners.add(listener);
    if (state.hasEnded) listener.atExit(true);
  },
  unwatch: (listener: ProcessExitListener): void => void state.listeners.delete(listener),
  timeLeft: (timeoutMs: number): number => exitTimeLeft(timeoutMs),
  /** What is left of `timeoutMs` for a delivery that may be part of an exit, but runs before it. */
  closeTimeLeft: (timeoutMs: number, now = uptimeMs()): number =>
    Math.max(timeoutMs - exitingForMs(now), Math.min(timeoutMs, MIN_TURN_MS)),
  /** True if all listeners have run, and nothing will call them again. */
  hasEnded: (): boolean => state.hasEnded,
};

function watchProcess(): void {
  state.isWatching = true;
  // The listeners of an exit that has begun no longer change.
  state.hasEnded ||= (realProcess as { _exiting?: boolean })._exiting === true;
  realProcess.on('beforeExit', deliverBeforeExit);
  realProcess.on('exit', () => {
    if (state.isEmitting) deliver(false);
    else endProcess();
  });
  watchEndOfExit();
  // vitest terminates its threads, and kills its processes half a second after SIGTERM.
  (globalThis as TestGlobals).__vitest_worker__?.onCleanup?.(endDeliveries);
  if ('Deno' in globalThis) realProcess.on('uncaughtExceptionMonitor', deliverAtCrash);
}

/** Delivers while the event loop runs. Workers start to end at the same time: at exit, the process would wait for them. */
function deliverBeforeExit(): void {
  if (hasJustEmptied()) return;
  const pending = [...state.listeners].filter(({ beforeExit }) => beforeExit !== undefined);
  const now = uptimeMs();
  const since = now - exitingForMs(now);
  state.beforeExit = { since, until: pending.length === 0 ? now : Number.POSITIVE_INFINITY };
  if (pending.length === 0) return;
  for (const listener of state.listeners) listener.beginExit?.();
  void Promise.all(pending.map((listener) => listener.beforeExit?.())).then(() => {
    state.beforeExit = { since, until: uptimeMs() };
  });
}

/**
 * Node and Deno emit `exit` with `process.emit`, and `process.exit()` ends in `process.reallyExit`, also if a listener
 * calls it. Only their ends come after all `exit` listeners of the program, which may log.
 */
function watchEndOfExit(): void {
  const { emit, reallyExit } = realProcess as NodeJS.Process & { reallyExit?: (code: number) => never };
  realProcess.emit = function (this: NodeJS.Process, ...args: unknown[]): boolean {
    const [name] = args;
    if (name !== 'exit' && name !== 'uncaughtException') return Reflect.apply(emit, this, args);
    state.isEmitting = name === 'exit';
    let isExiting = true; // If a listener for exceptions fails, the process exits without the event `exit`.
    try {
      const hadListeners: boolean = Reflect.apply(emit, this, args);
      isExiting = name === 'exit';
      return hadListeners;
    } finally {
      if (isExiting) endProcess(); // Not in a `catch`: Node would print our line as the origin of the error.
    }
  } as typeof emit;
  if (reallyExit === undefined) return;
  Object.assign(realProcess, {
    reallyExit(code: number): never {
      endProcess();
      return reallyExit.call(realProcess, code);
    },
  });
}

/** Jest terminates its threads half a second after the last test, and kills its processes another half a second later. */
function watchTestFile(): void {
  isWatchingTestFile = true;
  (globalThis as TestGlobals)[JEST_HANDLERS]?.push(({ name }) =>
    name === 'run_finish' ? endDeliveries() : undefined,
  );
}

function endDeliveries(): Promise<void> {
  return settlesWithin(
    Promise.all([...state.listeners].map((listener) => listener.endDelivery?.())),
    MAX_EXIT_MS,
  );
}

/** Deno emits no `exit` event after an error. Listeners of its own kind can keep the program alive. */
function deliverAtCrash(): void {
  if (realProcess.listenerCount('uncaughtException') > 0) return; // The program survives.
  deliver(false);
  state.startedAt = undefined;
}

/** Delivers what is pending. Records that are logged later are delivered immediately, before the call returns. */
export function endProcess(): void {
  state.isEmitting = false;
  state.hasEnded = true;
  deliver(true);
}

/** Called if the process survives a signal, because the program handles it. */
export function resumeProcess(): void {
  state.hasEnded = false;
  state.startedAt = undefined;
}

function deliver(isLast: boolean): void {
  // First for all listeners, so that their workers run in parallel.
  for (const listener of [...state.listeners]) listener.beginExit?.();
  const called = new Set<ProcessExitListener>();
  // Includes listeners that are added during the loop, but calls none twice.
  for (const listener of state.listeners) {
    if (called.has(listener)) continue;
    called.add(listener);
    listener.atExit(isLast);
  }
}
