import type { SearchDomainDetails } from './wire/repositories.ts';

/** For errors of calls that need a repository: the view has no events of its own, and these are its repositories. */
export function viewSentence(view: Pick<SearchDomainDetails, 'name' | 'connections'>): string {
  const names = [...new Set(view.connections.map(({ repositoryName }) => JSON.stringify(repositoryName)))];
  return `${JSON.stringify(view.name)} is a view. Use one of its repositories: ${names.join(', ') || 'it has none'}.`;
}
