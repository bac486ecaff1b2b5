import { createHash } from 'node:crypto';
import { ResourceError } from '../registries/resource-error.ts';
import { repositoryNameProblem } from '../repositories.ts';
import type { SearchDomain } from '../search-domain.ts';
import { View } from '../views/view.ts';
import type { GraphqlContext, Resolver } from './area.ts';
import { listFiles, searchFile } from './files.ts';
import { findSavedQuery } from './saved-queries.ts';

/** What a repository and a view have in common. */
export const SEARCH_DOMAIN_FIELDS = /* GraphQL */ `
  id: String!
  name: String!
  description: String
  isStarred: Boolean!
  automaticSearch: Boolean!
  files: [File!]!
  fileFieldSearch(
    fileName: String!
    fieldName: String!
    prefixFilter: String
    valueFilters: [FileFieldFilterType!]!
    fieldsToInclude: [String!]!
    maxEntries: Int!
  ): [[DictionaryEntryType!]!]!
  savedQueries: [SavedQuery!]!
  savedQuery(id: String!): SavedQuery!
`;

export const searchDomainResolvers: Readonly<Record<string, Resolver>> = {
  id: ({ name }: SearchDomain) => createHash('sha256').update(name).digest('base64url').slice(0, 24),
  description: ({ name }: SearchDomain, _: unknown, { descriptions }) => descriptions.get(name),
  isStarred: () => false,
  automaticSearch: () => true,
  savedQueries: ({ savedQueries }: SearchDomain) => savedQueries.list(),
  savedQuery: findSavedQuery,
  files: listFiles,
  fileFieldSearch: searchFile,
};

export function typeOfSearchDomain(domain: SearchDomain): string {
  return domain instanceof View ? 'View' : 'Repository';
}

/** @throws ResourceError when a name can't be used for a repository or view, or is in use. */
export function checkNewName({ searchDomains }: GraphqlContext, name: string): void {
  const problem = repositoryNameProblem(name);
  if (problem !== undefined) throw new ResourceError('invalid', problem, { name: 'invalid' });
  const existing = searchDomains.findLike(name);
  if (existing === undefined) return;
  const what = typeOfSearchDomain(existing).toLowerCase();
  throw new ResourceError('conflict', `The ${what} ${JSON.stringify(name)} already exists.`, {
    name: 'taken',
  });
}
