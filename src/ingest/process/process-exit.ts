/** Somebody who may have something left to deliver when the process ends. */
export interface ProcessExitListener {
  /** Nothing holds the process any more, but the event loop can still be used, for a bounded time. */
  beforeExit(): void;
  /** The process is about to be gone: what another thread can do meanwhile begins. Must not wait. */
  beginExit?(): void;
  /** The process is gone when this returns. */
  atExit(): void;
}

const listeners = new Set<ProcessExitListener>();

let isWatching = false;
let hasEnded = false;

function onBeforeExit(): void {
  for (const listener of listeners) listener.beforeExit();
}

function onExit(): void {
  // One that waits long must not be what the others wait for.
  for (const listener of [...listeners]) listener.beginExit?.();
  const called = new Set<ProcessExitListener>();
  // Listeners that are added meanwhile have their turn too, but nobody has two.
  for (const listener of listeners) {
    if (called.has(listener)) continue;
    called.add(listener);
    listener.atExit();
  }
  hasEnded = true;
}

/** Whether all listeners have had their turn. Only the program's own `exit` listeners can still run. */
export function hasProcessExited(): boolean {
  return hasEnded;
}

/**
 * Tells `listener` when the process ends, and at once when it has: something has come up in an `exit` listener of the
 * program. All share one listener of the process, which stays.
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
