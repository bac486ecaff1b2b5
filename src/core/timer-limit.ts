/** Maximum delay of a timer, in milliseconds; a longer one fires immediately. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
