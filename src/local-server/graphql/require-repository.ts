import { ResourceError } from '../registries/resource-error.ts';
import type { Repository } from '../repository.ts';
import type { View } from '../views/view.ts';
import type { GraphqlContext } from './area.ts';

/** @throws ResourceError unless there is a repository of this name. */
export function requireRepository({ repositories }: GraphqlContext, name: string): Repository {
  const repository = repositories.get(name);
  if (repository !== undefined) return repository;
  throw missing(name);
}

/** @throws ResourceError unless there is a repository or view of this name. */
export function requireSearchDomain({ searchDomains }: GraphqlContext, name: string): Repository | View {
  const domain = searchDomains.get(name);
  if (domain !== undefined) return domain;
  throw missing(name);
}

function missing(name: string): ResourceError {
  return new ResourceError(
    'missing',
    `Could not find a repository or view with the name ${JSON.stringify(name.slice(0, 100))}.`,
    {
      name: 'not found',
    },
  );
}
