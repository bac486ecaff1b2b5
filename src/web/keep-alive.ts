/** A server closes idle connections after a few seconds. A connection that we close earlier can't be reset in use. */
export const KEEP_ALIVE = { keepAlive: true, timeout: 4_000 } as const;
