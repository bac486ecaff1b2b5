import type { LogEvent, QueryMetadata, QueryWarning } from '../../core/wire/query.ts';

/** Result of one poll of a query job. */
export class PollResult<Row extends object = LogEvent> {
  /** Events, newest first, or the rows of an aggregate query in its order. */
  readonly events: readonly Row[];
  readonly metadata: QueryMetadata;
  readonly warnings: readonly QueryWarning[];
  /** True if the whole time range is searched. For a live query, true once existing events are searched. */
  readonly isDone: boolean;
  /** ID of the query job, by which the support of the service finds the query. */
  readonly queryId: string | undefined;

  constructor(
    events: readonly Row[],
    metadata: QueryMetadata,
    warnings: readonly QueryWarning[] = [],
    isDone = true,
    queryId?: string,
  ) {
    this.events = events;
    this.metadata = metadata;
    this.warnings = warnings;
    this.isDone = isDone;
    this.queryId = queryId;
  }

  /** Searched share of the time range, from 0 to 1. */
  get progress(): number {
    if (this.isDone) return 1;
    const { workDone, totalWork } = this.metadata;
    return totalWork > 0 ? Math.min(1, Math.max(0, workDone / totalWork)) : 0;
  }
}
