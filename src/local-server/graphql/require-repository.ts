import { ResourceError } from '../registries/resource-error.ts';
import type { Repository } from '../repository.ts';
import type { GraphqlContext } from './area.ts';

/** @throws ResourceError unless there is a repository of this name. */
export function requireRepository({ repositories }: GraphqlContext, name: string): Repository {
  const repository = repositories.get(name);
  if (repository !== undefined) return repository;
  throw new ResourceError(
    'missing',
    `Could not find a repository or view with the name ${JSON.stringify(name.slice(0, 100))}.`,
    {
      name: 'not found',
    },
  );
}
