import type { SearchDomainDetails } from './wire/repositories.ts';

/** For errors of calls that need a repository: the view has no events of its own, and these are its repositories. */
export function viewSentence({
  name,
  connections,
}: Pick<SearchDomainDetails, 'name' | 'connections'>): string {
  const names = [...new Set(connections.map(({ repositoryName }) => JSON.stringify(repositoryName)))];
  return `${JSON.stringify(name)} is a view. Use one of its repositories: ${names.join(', ') || 'it has none'}.`;
}
