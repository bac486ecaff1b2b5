import { nearestName } from '../core/nearest-name.ts';
import type { ReferenceData } from './reference-data.ts';

/** Rows with named columns: a lookup file, or the result of a subquery. Missing cells are `undefined`. */
export interface LookupTable {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly (string | undefined)[])[];
}

/**
 * Replaces a lookup file that no longer exists. Functions such as `match()` then leave events unchanged. Used for
 * parsers, which continue without the file; in queries, a missing file is an error.
 */
export const MISSING_FILE: LookupTable = { headers: [], rows: [] };

/** Any lookup file, with any columns: for a query that is checked but not run. */
export const UNKNOWN_FILE: LookupTable = { headers: [], rows: [] };

/**
 * Provides what queries refer to by name. Used during compilation: a plan keeps what it received, even if files change
 * while it runs.
 */
export interface QueryLibrary {
  /** The current version of a lookup file. Tables are immutable; a changed file is another table. */
  file(name: string): LookupTable | undefined;
  fileNames(): readonly string[];
  /** The saved query with this name. */
  savedQuery(name: string): string | undefined;
  savedQueryNames(): readonly string[];
  /** The repositories that subqueries can read. */
  repositoryNames(): readonly string[];
  /** Data about IP addresses. Default: none. */
  readonly referenceData?: ReferenceData | undefined;
}

/** An empty library. */
export const emptyLibrary: QueryLibrary = {
  file: () => undefined,
  fileNames: () => [],
  savedQuery: () => undefined,
  savedQueryNames: () => [],
  repositoryNames: () => [],
};

const SHOWN_NAMES = 10;

/** Completes an error with a similar name, or else with all names. */
export function suggestion(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return `. Did you mean ${JSON.stringify(nearest)}?`;
  if (known.length === 0) return ' (none exist)';
  const shown = known.slice(0, SHOWN_NAMES).map((each) => JSON.stringify(each));
  return `. Known: ${shown.join(', ')}${known.length > SHOWN_NAMES ? ' and more' : ''}`;
}
