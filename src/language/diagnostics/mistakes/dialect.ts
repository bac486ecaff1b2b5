/** What a condition of another language means where this one differs. */
export interface Dialect {
  /** Words without a field are searched for, and filters in a row are joined by `and`. */
  readonly isSearch: boolean;
  /** `or` binds tighter than `and`, as it does here. */
  readonly isOrFirst?: boolean;
  /** A word after an operator is a field, and `*` in a string is a character. */
  readonly isExact?: boolean;
}

/** `search` of SPL. */
export const SEARCH: Dialect = { isSearch: true, isOrFirst: true };
/** `where` of SQL, SPL and KQL. */
export const WHERE: Dialect = { isSearch: false, isExact: true };
/** A condition of a script, in which a word after an operator is a value. */
export const OWN: Dialect = { isSearch: false };
/** A filter of this language with phrases of others. */
export const PLAIN: Dialect = { isSearch: true };

/** Which rows to keep: `first` and `last` in the order of the rows; of events, `first` are the newest, as in SPL. */
export type Kept = 'first' | 'last' | 'oldest';

/** What a phrase is written with. */
export interface WriteContext {
  /** A condition as a filter; empty if it has no equivalent. */
  filter(condition: string, dialect: Dialect): string;
  /** A step that keeps only some rows; empty if there is none. */
  rows(kept: Kept, count: string): string;
  /** A step that chooses fields. table() sorts rows by time, so rows in another order are selected. */
  columns(fields: string): string;
}
