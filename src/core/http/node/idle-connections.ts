/** Servers close idle connections after a few seconds, which can reset a request. We close them earlier. */
export const KEEP_ALIVE = { keepAlive: true, timeout: 4_000 } as const;

/** For short requests: thousands of them must not use up the descriptors. Connections that are being opened through a proxy don't count. */
export const LIMITED = { ...KEEP_ALIVE, maxSockets: 64 } as const;
