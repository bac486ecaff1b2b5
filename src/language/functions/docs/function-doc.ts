/** The documentation of a function, as docs/functions.md shows it. */
export interface FunctionDoc {
  /** What the function does. */
  readonly sentence: string;
  /** A query that uses the function. */
  readonly example: string;
}

/** The functions for one purpose, in page order. */
export interface FunctionGroup {
  readonly title: string;
  /** What the functions have in common. */
  readonly intro?: string;
  readonly functions: Readonly<Record<string, FunctionDoc>>;
}
