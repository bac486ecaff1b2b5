import type { CallOptions } from '../../core/http/call-options.ts';
import type { QueryInput, QueryMetadata } from '../../core/wire/query.ts';
import { eventSlices } from './event-slices.ts';
import { joinsEvents } from './joins-events.ts';
import { newQueryJob } from './new-query-job.ts';
import type { PollResult } from './poll-result.ts';
import { pinned, type QueryScope } from './query-endpoint.ts';
import { StaticQueryJob } from './static-query-job.ts';

/**
 * The rows of a static query in the order of the streaming endpoint, for services without it: events oldest first, rows
 * of an aggregate in its order. If the query joins events, they are newest first, because only the whole interval can
 * be searched.
 *
 * @throws LogException with the code `LOG_CANNOT_PAGE` for more than 200 events of one millisecond without `@id`
 */
export async function* jobRows<Row extends object>(
  scope: QueryScope,
  input: QueryInput,
  call: CallOptions,
): AsyncGenerator<readonly Row[], void, undefined> {
  const jobScope = pinned(scope);
  const createJob = (part: Partial<QueryInput> = {}): Promise<StaticQueryJob<Row>> => {
    const partInput = { ...input, ...part };
    return newQueryJob(jobScope, partInput, call, (id) => new StaticQueryJob<Row>(id, jobScope, partInput));
  };
  const job = await createJob();
  try {
    const first = await job.poll(call);
    const interval = job.hasMore ? divisibleInterval(input, first) : undefined;
    if (interval === undefined) {
      yield first.metadata.isAggregate || job.hasMore ? first.events : first.events.toReversed();
      while (job.hasMore) yield (await job.poll(call)).events;
      return;
    }
    const slices = eventSlices<Row>({
      ...interval,
      field: '@timestamp',
      createJob: ({ from, to }) => createJob({ start: from, end: to }),
      queryString: input.queryString,
      call,
    });
    for await (const { events } of slices) yield events;
  } finally {
    void job[Symbol.asyncDispose](call);
  }
}

/** The interval of a query; undefined if parts of it could give different events. */
function divisibleInterval(
  { queryString, useIngestTime, around }: QueryInput,
  { metadata }: PollResult<object>,
): { from: number; to: number } | undefined {
  if (useIngestTime === true || around !== undefined || joinsEvents(queryString)) return undefined;
  const { queryStart: from, queryEnd: to } = metadata as Partial<QueryMetadata>;
  return from === undefined || to === undefined ? undefined : { from, to };
}
