/** The maximum distance from 1970 that a `Date` supports, in milliseconds. */
export const MAX_EPOCH_MS = 8.64e15;
