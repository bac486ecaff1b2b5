import type { Span } from '../ast.ts';

/** What a query probably does not mean, or what the service does not accept. */
export interface Diagnostic {
  /** Stable, such as `spl-dedup`. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** Sentences: what is wrong, and what to write. */
  readonly message: string;
  readonly span: Span;
  /** The text to write in place of the span. */
  readonly fix?: string;
}
