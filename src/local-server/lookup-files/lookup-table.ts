/** The rows of a lookup file; every row has as many cells as there are headers. */
export interface LookupTable {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
