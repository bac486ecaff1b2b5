import type { Span } from '../ast.ts';

/** A change to the text of a query. */
export interface TextEdit {
  /** The part to replace. Empty to insert. */
  readonly span: Span;
  readonly text: string;
}

/**
 * - `error`: the query fails.
 * - `warning`: the query runs, but probably does not do what was meant, or the service rejects it.
 * - `info`: the query can be faster.
 */
export type Severity = 'error' | 'warning' | 'info';

/** A problem in a query. */
export interface Diagnostic {
  /** Stable, such as `unknown-function` or `spl-dedup`. */
  readonly code: string;
  readonly severity: Severity;
  /** Sentences: what is wrong, and what to write. */
  readonly message: string;
  /** Where, in UTF-16 code units. */
  readonly span: Span;
  /** What to write instead. The changed query can be parsed. Absent if there is no single right answer. */
  readonly fix?: TextEdit;
}
