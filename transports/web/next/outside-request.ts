import { AsyncLocalStorage } from 'node:async_hooks';

/** Shared by the copies of this package in the bundles of an app. */
const SNAPSHOT = Symbol.for('logclient.next.snapshot');

const shared = globalThis as { [SNAPSHOT]?: ReturnType<typeof AsyncLocalStorage.snapshot> };

/** Remembers the current context, in which no request is being handled. */
export function rememberOutside(): void {
  shared[SNAPSHOT] ??= AsyncLocalStorage.snapshot();
}

/**
 * Runs a function outside of the current request. While Next.js renders a static page with Cache Components, reading the
 * clock would fail the page. Runs it in the request if {@link rememberOutside} was never called.
 */
export function outsideRequest<Result>(run: () => Result): Result {
  const snapshot = shared[SNAPSHOT];
  return snapshot === undefined ? run() : snapshot(run);
}
