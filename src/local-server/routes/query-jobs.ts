import { createHash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { connectionOf } from '../http/connection.ts';
import { notFound } from '../http/http-error.ts';
import { resumed } from '../queries/peek-first.ts';
import { pollAnswerFormat } from '../queries/poll-answer.ts';
import type { QueryJob } from '../queries/query-job.ts';
import { readQueryRequest } from '../queries/query-request.ts';
import { repositoryLibrary } from '../queries/repository-library.ts';
import { exportFormat } from '../queries/result-export.ts';
import { NO_ROWS, pageOf } from '../queries/result-page.ts';
import { streamRows } from '../queries/row-stream.ts';
import { textStream } from '../queries/text-stream.ts';
import type { SearchDomain } from '../search-domain.ts';
import type { ServerContext } from '../server-context.ts';
import { warnOfCut } from './cut-answer.ts';
import { readJsonObject } from './json-body.ts';
import { REPOSITORY_PATH, searchDomainOf } from './repository-path.ts';

/** A longer answer is sent as it is written, in UTF-16 units. */
const MAX_LENGTH_AT_ONCE = 1024 * 1024;

/** Query jobs: create, poll, delete; under a repository, or without one for the repository that is always there. */
export function queryJobsRoutes(context: ServerContext): Hono {
  const routes = new Hono();
  const ownRepository = (): SearchDomain => {
    const repository = context.repositories.get(context.options.repository);
    if (repository === undefined) throw notFound();
    return repository;
  };

  routes.post(`${REPOSITORY_PATH}/queryjobs`, (c) => createJob(context, c, () => searchDomainOf(context, c)));
  routes.post('/api/v1/queryjobs', (c) => createJob(context, c, ownRepository));

  routes.get(`${REPOSITORY_PATH}/queryjobs/:id`, (c) =>
    pollJob(context, c, () => searchDomainOf(context, c)),
  );
  routes.get('/api/v1/queryjobs/:id', (c) => pollJob(context, c));

  routes.delete(`${REPOSITORY_PATH}/queryjobs/:id`, (c) =>
    deleteJob(context, c, () => searchDomainOf(context, c)),
  );
  routes.delete('/api/v1/queryjobs/:id', (c) => deleteJob(context, c));
  return routes;
}

async function createJob(context: ServerContext, c: Context, named: () => SearchDomain): Promise<Response> {
  const { authentication, clock, jobs, options, searchDomains } = context;
  authentication.requireUser(c.req.raw);
  const repository = named();
  const library = repositoryLibrary(repository, searchDomains, context.referenceData);
  const body = await readJsonObject(c, options.maxRequestBytes);
  const request = readQueryRequest(body, clock.now(), library, repository.eventFilter);
  const { id } = jobs.create(repository, request);
  return c.json({
    id,
    queryOnView: request.queryString,
    hashedQueryOnView: createHash('sha256').update(request.queryString).digest('hex').slice(0, 16),
    staticMetaData: { executionMode: { runMode: 'Normal', details: '' } },
  });
}

async function pollJob(context: ServerContext, c: Context, named?: () => SearchDomain): Promise<Response> {
  const job = requireJob(context, c, named);
  job.touch();
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
  const body = await bodyOf(context, c, streamRows(page.rows, format));
  return c.body(body, 200, { 'content-type': format.contentType });
}

/** A long result is sent as it is written: as one text it would keep everybody waiting. */
async function bodyOf(
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
  return textStream(resumed(text, pieces), {
    connection: connectionOf(c.env),
    onEnd: () => {},
    onFailure: (error) => warnOfCut(context, c, error),
  });
}

function deleteJob(context: ServerContext, c: Context, named?: () => SearchDomain): Response {
  context.jobs.delete(requireJob(context, c, named).id);
  return c.body(null, 204);
}

/** @throws HttpError 404 for a job that is unknown, expired, deleted, or of another repository. */
function requireJob(context: ServerContext, c: Context, named: (() => SearchDomain) | undefined): QueryJob {
  context.authentication.requireUser(c.req.raw);
  const repository = named?.();
  const job = context.jobs.get(c.req.param('id') ?? '');
  if (job === undefined || (repository !== undefined && job.repository !== repository)) {
    throw notFound(
      'There is no query job with this ID: it was deleted, or it expired because it was not polled.',
    );
  }
  return job;
}
