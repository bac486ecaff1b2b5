/** Delivers pending records when the process exits. */
export interface ProcessExitListener {
  /** Called when the event loop is empty. Can start asynchronous work that is bounded in time. */
  beforeExit?(): void;
  /** Called before any {@link atExit}, to start work in other threads. Must not block. */
  beginExit?(): void;
  /** Called last: when it returns, the process exits. Can block. */
  atExit(): void;
}

const listeners = new Set<ProcessExitListener>();

let isWatching = false;
let hasEnded = false;

function onBeforeExit(): void {
  for (const listener of listeners) listener.beforeExit?.();
}

function onExit(): void {
  // First for all listeners, so that their workers run in parallel.
  for (const listener of [...listeners]) listener.beginExit?.();
  const called = new Set<ProcessExitListener>();
  // Includes listeners that are added meanwhile, but calls none twice.
  for (const listener of listeners) {
    if (called.has(listener)) continue;
    called.add(listener);
    listener.atExit();
  }
  hasEnded = true;
}

/** True if all listeners have run. Only `exit` listeners of the program can run after that. */
export function hasProcessExited(): boolean {
  return hasEnded;
}

/**
 * Calls `listener` when the process exits. If the listeners have already run, for example because an `exit` listener of
 * the program logs, calls it immediately. Adds one permanent listener to the process for all callers.
 */
export function watchProcessExit(listener: ProcessExitListener): void {
  if (!isWatching) {
    process.on('beforeExit', onBeforeExit);
    process.on('exit', onExit);
    isWatching = true;
  }
  listeners.add(listener);
  if (hasEnded) listener.atExit();
}

export function unwatchProcessExit(listener: ProcessExitListener): void {
  listeners.delete(listener);
}
