import type { LogEvent } from '../wire/query.ts';
import { BaseQueryJob, type PollOptions } from './base-query-job.ts';
import type { PollResult } from './poll-result.ts';

/** A query that goes on: every poll gives the whole result as it is then, not what has changed. */
export class LiveQueryJob<Row extends object = LogEvent> extends BaseQueryJob<Row> {
  /** Waits until the past is searched, and on later calls as long as the service asks for; returns the result of now. */
  poll(options: PollOptions = {}): Promise<PollResult<Row>> {
    return this.pollUntilComplete(options);
  }
}
