import type { Context } from 'hono';
import { notFound } from '../http/http-error.ts';
import type { Repository } from '../repository.ts';
import type { ServerContext } from '../server-context.ts';

/** The old prefix and the current one: requests and answers are the same under both. */
export const REPOSITORY_PATH = '/api/v1/:family{dataspaces|repositories}/:repository';

/** The repository that the path of a request names. @throws HttpError 404 when there is none. */
export function repositoryOf({ repositories }: ServerContext, c: Context): Repository {
  const name = c.req.param('repository') ?? '';
  // Some clients escape a path segment like a form, where a space is written "+".
  const repository = repositories.get(name) ?? repositories.get(name.replaceAll('+', ' '));
  if (repository !== undefined) return repository;
  const names = repositories.list().map((known) => known.name);
  throw notFound(`There is no repository of this name. This server has: ${names.join(', ')}.`);
}
