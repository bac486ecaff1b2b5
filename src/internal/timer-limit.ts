/** The longest time that a timer can wait, in milliseconds; with a longer one it fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
