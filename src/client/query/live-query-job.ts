import type { LogEvent } from '../../core/wire/query.ts';
import { BaseQueryJob } from './base-query-job.ts';

/**
 * A live query job. Each poll returns the current result, not the changes; of a query without an aggregate function, the
 * newest 200 events. It has one part, and so no `hasMore`. The first call waits until existing events are searched;
 * later calls wait for the poll interval of the service.
 */
export class LiveQueryJob<Row extends object = LogEvent> extends BaseQueryJob<Row> {}
