import type { LogEvent } from '../../core/wire/query.ts';
import { BaseQueryJob, type PollOptions } from './base-query-job.ts';
import type { PollResult } from './poll-result.ts';

/** A live query job. Each poll returns the complete current result, not the changes. */
export class LiveQueryJob<Row extends object = LogEvent> extends BaseQueryJob<Row> {
  /**
   * Returns the current result. The first call waits until existing events are searched; later calls wait for the poll
   * interval of the service.
   */
  poll(options: PollOptions = {}): Promise<PollResult<Row>> {
    return this.pollUntilComplete(options);
  }
}
