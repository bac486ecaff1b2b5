/** What a condition of another language means where this one differs. */
export interface Dialect {
  /** Words without a field are searched for, and filters in a row are joined by `and`. */
  readonly isSearch: boolean;
  /** `or` binds tighter than `and`, as it does here. */
  readonly isOrFirst?: boolean;
  /** A word after an operator is a field, and `*` in a string is a character. */
  readonly isExact?: boolean;
  readonly ignoresCase?: boolean;
  /** A regular expression matches a whole value. */
  readonly matchesAll?: boolean;
  /** `!=` finds only events that have the field. */
  readonly needsField?: boolean;
  /** Which comparisons with a field that an event doesn't have are neither true nor false, so that `not` finds nothing. */
  readonly unknown?: 'all' | 'numbers';
}

/** `search` of SPL. */
export const SEARCH: Dialect = { isSearch: true, isOrFirst: true, ignoresCase: true, needsField: true };
/** `where` of SQL and SPL. */
export const WHERE: Dialect = { isSearch: false, isExact: true, needsField: true, unknown: 'all' };
/** `where` of ES|QL. */
export const ESQL: Dialect = { ...WHERE, matchesAll: true };
/** `where` of KQL, in which a string that is absent is empty. */
export const KQL_WHERE: Dialect = { isSearch: false, isExact: true, unknown: 'numbers' };
/** `select` of jq. */
export const SELECT: Dialect = { isSearch: false, isExact: true };
/** A condition of a script, in which a word after an operator is a value. */
export const OWN: Dialect = { isSearch: false };
/** A filter in a query of another language. */
export const MIXED: Dialect = { isSearch: true };
/** A filter of this language with phrases of others. */
export const PLAIN: Dialect = { isSearch: true };

/** Which rows to keep: `first` and `last` in the order of the rows; of events, `first` are the newest, as in SPL. */
export type Kept = 'first' | 'last' | 'oldest';

/** What a phrase is written with. */
export interface WriteContext {
  /** A condition as a filter; empty if it has no equivalent. */
  filter(condition: string, dialect: Dialect): string;
  /** A step that keeps some rows, also of a `sort`; empty if there is none, or if rows without a field would be last there. */
  rows(kept: Kept, count: string, areNullsLast?: boolean, sort?: string): string;
  /** The phrase, and what is before it in its step, with blank strings. */
  readonly phrase?: string;
  /** The query before the step. */
  readonly before?: string;
  /** The steps after the phrase, with blank strings. */
  readonly rest?: string;
  /** Whether no `|` is before the phrase. */
  readonly isFirst?: boolean;
  /** Names the part of the phrase that has no equivalent. */
  fail?(part: string): void;
  /** The dialect of the condition around the phrase. */
  readonly dialect?: Dialect;
}
