import type { Context, Hono } from 'hono';
import { hashing } from '../../engine/index.ts';
import { environmentOf } from '../environment.ts';
import { onlyUsers } from '../http/authentication.ts';
import { bodyStream, encoded } from '../http/body-stream.ts';
import { notFound } from '../http/http-error.ts';
import { pollAnswerFormat } from '../queries/poll-answer.ts';
import type { QueryJob } from '../queries/query-job.ts';
import { type QueryRequest, readQueryRequest } from '../queries/query-request.ts';
import { repositoryLibrary } from '../queries/repository-library.ts';
import { exportFormat } from '../queries/result-export.ts';
import { NO_ROWS, pageOf } from '../queries/result-page.ts';
import { resumed, streamRows } from '../queries/row-writer.ts';
import { recordRejection } from '../rejections/record-rejections.ts';
import type { SearchDomain } from '../search-domain.ts';
import type { ServerContext } from '../server-context.ts';
import { REPOSITORY_PATH, readJsonObject, searchDomainOf, warnOfCut } from './request.ts';

/** Longer responses are streamed, in UTF-16 code units. */
const MAX_LENGTH_AT_ONCE = 1024 * 1024;

/** How the responses about query jobs differ between kinds of service. */
export interface QueryJobDialect {
  /**
   * Parses the body of a request that creates a job.
   *
   * @param onInvalid called with the problem of an invalid query that is accepted anyway.
   */
  readRequest(input: QueryRequestInput, onInvalid: (problem: string) => void): QueryRequest;
  /** The response to a created job, without its ID. */
  created(request: QueryRequest): object;
  /** The status of the response to a deleted job, which has no body. */
  readonly deletedStatus: 200 | 204;
}

/** The arguments of {@link readQueryRequest}. */
export type QueryRequestInput = Parameters<typeof readQueryRequest>;

const INVALID_QUERY_FIX = 'Correct the query. As on the service, the response does not report the error.';

const LOGSCALE: QueryJobDialect = {
  readRequest: (input) => readQueryRequest(...input),
  created: ({ queryString }) => ({
    queryOnView: queryString,
    hashedQueryOnView: hashOf(queryString),
    staticMetaData: { executionMode: { runMode: 'Normal', details: '' } },
  }),
  deletedStatus: 204,
};

export function hashOf(queryString: string): string {
  return hashing().createHash('sha256').update(queryString).digest('hex').slice(0, 16);
}

export function queryJobsRoutes(app: Hono, context: ServerContext): void {
  jobsRoutes(app, context, LOGSCALE);
  jobsRoutes(app, context, LOGSCALE, '/api/v1/queryjobs');
}

export function jobsRoutes(
  app: Hono,
  context: ServerContext,
  dialect: QueryJobDialect,
  path: string = `${REPOSITORY_PATH}/queryjobs`,
): void {
  app.use(`${path}/*`, onlyUsers(context));
  app.post(path, (c) => createJob(context, c, dialect));
  app.get(`${path}/:id`, (c) => pollJob(context, c));
  app.delete(`${path}/:id`, (c) => {
    context.jobs.delete(requireJob(context, c).id);
    return c.body(null, dialect.deletedStatus);
  });
}

/** The repository or view in the path of a request, if the path has one. @throws HttpError 404 if it doesn't exist */
function namedDomain(context: ServerContext, c: Context): SearchDomain | undefined {
  return c.req.param('repository') === undefined ? undefined : searchDomainOf(context, c);
}

async function createJob(context: ServerContext, c: Context, dialect: QueryJobDialect): Promise<Response> {
  const { clock, jobs, options, repositories, searchDomains } = context;
  const repository = namedDomain(context, c) ?? repositories.get(options.repository);
  if (repository === undefined) throw notFound();
  const library = repositoryLibrary(repository, searchDomains);
  const body = await readJsonObject(c, options.maxRequestBytes);
  const input: QueryRequestInput = [body, clock.now(), library, repository.eventFilter];
  const request = dialect.readRequest(input, (reason) => {
    recordRejection(context, c, { status: 200, reason, fix: INVALID_QUERY_FIX });
  });
  const { id } = jobs.create(repository, request);
  return c.json({ id, ...dialect.created(request) });
}

async function pollJob(context: ServerContext, c: Context): Promise<Response> {
  const job = requireJob(context, c);
  job.polledAt = context.clock.now();
  const state = await job.state();
  const { result } = state;
  const onlyHeartbeat = c.req.query('onlyHeartbeat') === 'true';
  const page =
    result === undefined || onlyHeartbeat ? NO_ROWS : await pageOf(result, (name) => c.req.query(name));
  const mimeType = c.req.query('mimeType');
  const format =
    mimeType === undefined
      ? pollAnswerFormat(job, state, page, context.clock.now())
      : await exportFormat(mimeType, c.req.query('fieldsToExport'), {
          rows: page.rows,
          fieldOrder: result?.fieldOrder,
        });
  const onSent = (): void => {
    if (state.done) job.isRead = true;
  };
  const body = await responseBody(context, c, streamRows(page.rows, format, onSent));
  return c.body(body, 200, { 'content-type': format.contentType });
}

/** Streams a long result, because serializing it at once would block other requests. */
async function responseBody(
  context: ServerContext,
  c: Context,
  pieces: AsyncGenerator<string>,
): Promise<string | ReadableStream<Uint8Array>> {
  let text = '';
  for (;;) {
    const { value, done } = await pieces.next();
    if (done === true) return text;
    text += value;
    if (text.length > MAX_LENGTH_AT_ONCE) break;
  }
  return bodyStream(encoded(resumed(text, pieces)), {
    connection: environmentOf(c).connection,
    onFailure: (error) => warnOfCut(context, c, error),
  });
}

/** @throws HttpError 404 if the job is unknown, expired, deleted, or of another repository. */
function requireJob(context: ServerContext, c: Context): QueryJob {
  const repository = namedDomain(context, c);
  const job = context.jobs.get(c.req.param('id') ?? '');
  if (job === undefined || (repository !== undefined && job.repository !== repository)) {
    throw notFound(
      'There is no query job with this ID: it was deleted, or it expired because it was not polled.',
    );
  }
  return job;
}
