/** LOGS on a keypad. */
export const DEFAULT_PORT = 5647;

/** Tried in this order. */
export const DEFAULT_PORTS: readonly number[] = Array.from({ length: 20 }, (_, n) => DEFAULT_PORT + n);
