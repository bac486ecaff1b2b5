import type { LogEvent, QueryMetadata, QueryWarning } from '../wire/query.ts';

/** What one poll of a query job gave. */
export class PollResult<Row extends LogEvent = LogEvent> {
  /** Events, newest first; or the rows of an aggregate query in its own order. */
  readonly events: readonly Row[];
  readonly metadata: QueryMetadata;
  readonly warnings: readonly QueryWarning[];

  constructor(events: readonly Row[], metadata: QueryMetadata, warnings: readonly QueryWarning[] = []) {
    this.events = events;
    this.metadata = metadata;
    this.warnings = warnings;
  }
}
