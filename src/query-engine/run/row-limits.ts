/** How many rows `head`, `tail`, `sort` and `table` give unless they are told otherwise. */
export const DEFAULT_ROWS = 200;

/** How many rows they give at most, also as `limit=max`. */
export const MAX_ROWS = 200_000;
