import { LiveQueryJob } from '../../client/query/live-query-job.ts';
import { newQueryJob } from '../../client/query/new-query-job.ts';
import type { PollResult } from '../../client/query/poll-result.ts';
import { pinned } from '../../client/query/query-endpoint.ts';
import type { QueryOptions } from '../../client/query/query-options.ts';
import { StaticQueryJob } from '../../client/query/static-query-job.ts';
import { jobSnapshots } from '../../client/tail/job-snapshots.ts';
import type { TailReconnect } from '../../client/tail/live-query-options.ts';
import type { QuerySource } from '../../client/tail/query-source.ts';
import type { CallOptions } from '../../core/http/call-options.ts';
import type { HttpCaller } from '../../core/http/http-caller.ts';
import type { ServiceKind } from '../../core/http/service-kind.ts';
import type { QueryInput } from '../../core/wire/query.ts';
import { type Row, toRow } from './rows.ts';

/** A query with its time range. */
export interface Query extends QueryOptions {
  readonly queryString: string;
}

/** Result of a query so far. */
export type Result = PollResult<Row>;

/** A repository or view to query, for the readers of the client. */
export function querySource(webCaller: HttpCaller, repository: string, service: ServiceKind): QuerySource {
  const repositoryScope = { webCaller, repository, service };
  const create = (queryString: string, { signal, maxRetries, ...options }: QueryInput & CallOptions) => {
    const scope = pinned(repositoryScope);
    const input = { ...options, queryString };
    return newQueryJob(scope, input, { signal, maxRetries }, (id) =>
      opened(input.isLive ? new LiveQueryJob(id, scope) : new StaticQueryJob(id, scope, input)),
    );
  };
  return { ...repositoryScope, createQueryJob: create as unknown as QuerySource['createQueryJob'] };
}

/** The jobs of this page that are not deleted yet. */
const openJobs = new Set<AsyncDisposable>();

function opened<Job extends AsyncDisposable>(job: Job): Job {
  openJobs.add(job);
  const dispose = job[Symbol.asyncDispose].bind(job);
  return Object.assign(job, {
    [Symbol.asyncDispose]: () => {
      openJobs.delete(job);
      return dispose();
    },
  });
}

/** Deletes the query jobs of a page that is closed: the service would run them for a while. */
export function deleteJobsOnLeave(page: Pick<EventTarget, 'addEventListener'>): void {
  page.addEventListener('pagehide', () => {
    for (const job of [...openJobs]) void job[Symbol.asyncDispose]();
  });
}

export interface ResultsOptions extends Query {
  /** Called with each failure that is retried. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/**
 * The results of a query so far: of a static query until it is done, of a live one until the caller stops. Deletes its
 * job.
 */
export async function* queryResults(
  source: QuerySource,
  { queryString, onFailure, ...query }: ResultsOptions,
): AsyncGenerator<Result, void, undefined> {
  const { isLive = false } = query;
  const onReconnect = onFailure && (({ error }: TailReconnect) => onFailure(error));
  const options = { source, queryString, query, isLive, partial: true, onReconnect };
  for await (const result of jobSnapshots<Row>(options)) {
    result.events.forEach(toRow);
    yield result;
  }
}

/** The complete result of a static query. @throws the reason of the signal if it aborts */
export async function queryResult(source: QuerySource, query: Query): Promise<Result> {
  const results = queryResults(source, query);
  try {
    for (;;) {
      const { value } = await results.next();
      if (value?.isDone) return value;
    }
  } finally {
    // Deletes the job, which the caller does not wait for.
    void results.return();
  }
}
