import type { Context } from 'hono';
import { isJsonObject } from '../../core/json-object.ts';
import { onAbort } from '../../core/on-abort.ts';
import { environmentOf, requestEnd } from '../environment.ts';
import { HttpError, malformed, notFound, orMalformed } from '../http/http-error.ts';
import { readText } from '../http/request-body.ts';
import { domainEvents } from '../queries/domain-events.ts';
import type { QueryShare } from '../queries/query-admission.ts';
import { limitError } from '../queries/query-limits.ts';
import { readQueryRequest } from '../queries/query-request.ts';
import type { QueryRun } from '../queries/query-slices.ts';
import { repositoryLibrary } from '../queries/repository-library.ts';
import type { Repository } from '../repository.ts';
import type { ServerContext } from '../server-context.ts';
import type { View } from '../views/view.ts';

/**
 * The body of a request as a JSON object.
 *
 * @throws HttpError 400 for anything else, 413 if it is too large.
 */
export async function readJsonObject(
  context: Context,
  maxBytes: number,
): Promise<Readonly<Record<string, unknown>>> {
  const text = await readText(context, maxBytes);
  const body: unknown = orMalformed(() => JSON.parse(text));
  if (isJsonObject(body)) return body as Record<string, unknown>;
  throw malformed('Expected a JSON object.');
}

export interface RequestedQuery extends Omit<QueryRun, 'share'> {
  readonly now: number;
}

/** The query in the body of a request, for the repository or view in its path. @throws HttpError */
export async function readQuery(context: ServerContext, c: Context): Promise<RequestedQuery> {
  const { authentication, clock, options, searchDomains } = context;
  authentication.requireUser(c.req.raw);
  const repository = searchDomainOf(context, c);
  const library = repositoryLibrary(repository, searchDomains);
  const body = await readJsonObject(c, options.maxRequestBytes);
  const now = clock.now();
  const request = readQueryRequest(body, now, library, repository.eventFilter);
  return { repository, request, source: domainEvents(repository, searchDomains, request.useIngestTime), now };
}

/**
 * Runs a query that ends when its client disconnects, or when the work aborts `end`.
 *
 * @param work returns `undefined` if the query was stopped
 * @throws HttpError for a query that was stopped or has exceeded a limit
 */
export async function runForClient<Result>(
  { admission, closing }: ServerContext,
  c: Context,
  isLive: boolean,
  work: (share: QueryShare, end: AbortController) => Promise<Result | undefined>,
): Promise<Result> {
  const share = admission.open({ isLive });
  const end = requestEnd(c.req.raw, environmentOf(c).connection, closing);
  onAbort(end.signal, () => share.close());
  try {
    const result = await work(share, end);
    if (result !== undefined) return result;
    throw stopped();
  } catch (error) {
    const message = limitError(error)?.message;
    const isStopped = message === undefined && end.signal.aborted;
    end.abort();
    if (isStopped) throw stopped();
    throw message === undefined ? error : new HttpError(500, message);
  }
}

function stopped(): HttpError {
  return new HttpError(503, 'The query was stopped: its client disconnected, or the server is closing.');
}

/** Warns why a response was cut off. @returns the reason for its client */
export function warnOfCut({ options }: ServerContext, c: Context, error: unknown): string {
  const reason = limitError(error)?.message;
  const details = reason ?? (error instanceof Error ? error.stack : String(error));
  options.onWarning(`The response to ${c.req.method} ${c.req.path} was cut off. ${details}`);
  return reason ?? 'The query failed inside the local server.';
}

/** The old prefix and the current one, which are equivalent. */
export const REPOSITORY_PATH = '/api/v1/:family{dataspaces|repositories}/:repository';

/** The repository in the path of a request. @throws HttpError 404 if it doesn't exist, 400 for a view. */
export function repositoryOf({ repositories, searchDomains }: ServerContext, c: Context): Repository {
  const repository = findDomain(c, (name) => repositories.get(name));
  if (repository !== undefined) return repository;
  if (findDomain(c, (name) => searchDomains.get(name)) !== undefined) {
    throw new HttpError(400, 'This is a view: it contains events of repositories and accepts none itself.');
  }
  throw unknown(repositories.list(), 'repository');
}

/** The repository or view in the path of a request. @throws HttpError 404 if it doesn't exist. */
export function searchDomainOf(
  { searchDomains, temporaryRepositories }: ServerContext,
  c: Context,
): Repository | View {
  const domain = findDomain(c, (name) => searchDomains.get(name));
  if (domain !== undefined) return domain;
  if (findDomain(c, (name) => temporaryRepositories.wasDeleted(name) || undefined)) {
    throw notFound('This file was closed after ten minutes without use, or with its tab. Open it again.');
  }
  throw unknown(searchDomains.list(), 'repository or view');
}

function findDomain<Found>(c: Context, find: (name: string) => Found | undefined): Found | undefined {
  const name = c.req.param('repository') ?? '';
  // Some clients encode path segments like forms, with "+" for a space.
  return find(name) ?? find(name.replaceAll('+', ' '));
}

function unknown(known: readonly { readonly name: string }[], what: string): HttpError {
  const names = known.map(({ name }) => name);
  return notFound(`There is no ${what} with this name. This server has: ${names.join(', ')}.`);
}
