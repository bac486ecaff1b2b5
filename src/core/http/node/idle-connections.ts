/** Servers close idle connections after a few seconds, which can reset a request. We close them earlier. */
export const KEEP_ALIVE = { keepAlive: true, timeout: 4_000 } as const;
