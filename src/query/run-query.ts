import { LogOptionsException } from '../errors.ts';
import { type CallOptions, callOptionsOf } from '../web/call-options.ts';
import type { LogEvent } from '../wire/query.ts';
import { LiveQueryJob } from './live-query-job.ts';
import { pinned, postQueryJob, type QueryScope } from './query-endpoint.ts';
import { type QueryOptions, resolveQueryInput } from './query-options.ts';
import { StaticQueryJob } from './static-query-job.ts';

/** Creates a job on the service: a live one if the query is live. */
export async function createQueryJob<Row extends LogEvent = LogEvent>(
  scope: QueryScope,
  queryString: string,
  options: QueryOptions = {},
): Promise<StaticQueryJob<Row> | LiveQueryJob<Row>> {
  const input = resolveQueryInput('createQueryJob', queryString, options);
  const jobScope = pinned(scope);
  const id = await postQueryJob(jobScope, input, callOptionsOf(options));
  return input.isLive === true
    ? new LiveQueryJob<Row>(id, jobScope)
    : new StaticQueryJob<Row>(id, jobScope, input);
}

/** All rows of a static query; its job is deleted, whatever happens. */
export async function runQuery<Row extends LogEvent = LogEvent>(
  scope: QueryScope,
  queryString: string,
  options: QueryOptions = {},
): Promise<Row[]> {
  const input = resolveQueryInput('query', queryString, options);
  if (input.isLive === true) {
    throw new LogOptionsException(
      'query: a live query never has all its rows. Use tail(), watch() or createQueryJob().',
    );
  }
  const call: CallOptions = callOptionsOf(options);
  const jobScope = pinned(scope);
  const job = new StaticQueryJob<Row>(await postQueryJob(jobScope, input, call), jobScope, input);
  try {
    const rows: Row[] = [];
    for await (const { events } of job.pollUntilDone(call)) {
      for (const event of events) rows.push(event);
    }
    return rows;
  } finally {
    await job[Symbol.asyncDispose]();
  }
}
