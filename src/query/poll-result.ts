import type { LogEvent, QueryMetadata, QueryWarning } from '../wire/query.ts';

/** What one poll of a query job gave. */
export class PollResult<Row extends object = LogEvent> {
  /** Events, newest first; or the rows of an aggregate query in its own order. */
  readonly events: readonly Row[];
  readonly metadata: QueryMetadata;
  readonly warnings: readonly QueryWarning[];
  /** Whether the whole interval is searched. Of a live query: the past; more comes with time. */
  readonly isDone: boolean;

  constructor(
    events: readonly Row[],
    metadata: QueryMetadata,
    warnings: readonly QueryWarning[] = [],
    isDone = true,
  ) {
    this.events = events;
    this.metadata = metadata;
    this.warnings = warnings;
    this.isDone = isDone;
  }

  /** How much of the interval is searched, from 0 to 1. */
  get progress(): number {
    if (this.isDone) return 1;
    const { workDone, totalWork } = this.metadata;
    return totalWork > 0 ? Math.min(1, Math.max(0, workDone / totalWork)) : 0;
  }
}
