import type { ViewConnection } from '../../core/wire/repositories.ts';
import { compileQuery, type QueryLibrary } from '../../engine/index.ts';
import { QueryTextError } from '../../language/index.ts';
import { invalid } from '../registries/resource-error.ts';

/**
 * The filter that events of some repository must pass to appear in a view.
 *
 * @returns a query of one step; `undefined` if all events pass.
 */
export function eventFilterOf(connections: readonly ViewConnection[]): string | undefined {
  if (connections.every(({ filter }) => isEverything(filter))) return undefined;
  // A newline, because a filter may end in a comment.
  const clauses = connections.map(
    ({ repositoryName, filter }) => `#repo=${JSON.stringify(repositoryName)} | ${filter}\n`,
  );
  return `case { ${clauses.join('; ')} }`;
}

/** @throws ResourceError unless the filter is valid in a view: it must process events one at a time. */
export function checkFilter({ repositoryName, filter }: ViewConnection, library: QueryLibrary): void {
  const refuse = (problem: string): never => {
    throw invalid(`The filter for the repository ${repositoryName} ${problem}`, 'filter');
  };
  if (isEverything(filter)) return;
  try {
    const plan = compileQuery(filter, { library });
    if (plan.isAggregate || plan.looksAhead || plan.hasSubQueries || plan.interval !== undefined) {
      refuse('must be a filter, without aggregate functions, intervals and subqueries.');
    }
    // The view uses it between braces.
    compileQuery(eventFilterOf([{ repositoryName, filter }])!, { library });
  } catch (error) {
    if (error instanceof QueryTextError) refuse(`is invalid. ${error.message}.\n${error.excerpt}`);
    throw error;
  }
}

function isEverything(filter: string): boolean {
  return ['', '*'].includes(filter.trim());
}
