/** The maximum distance from 1970 that a `Date` supports, in milliseconds. */
export const MAX_EPOCH_MS = 8.64e15;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** Without a change of clocks. */
export const DAY_MS = 24 * HOUR_MS;
