/** Default limit of `head`, `tail`, `sort` and `table`. */
export const DEFAULT_ROWS = 200;

/** Their maximum limit, also for `limit=max`. */
export const MAX_ROWS = 200_000;
