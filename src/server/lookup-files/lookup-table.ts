/** The rows of a lookup file. Every row has one cell per header. */
export interface LookupTable {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
