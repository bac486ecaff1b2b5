import type { EventSource, QueryLibrary, ReferenceData } from '../../query-engine/index.ts';
import type { LookupFile } from '../lookup-files/lookup-files.ts';
import type { Repositories } from '../repositories.ts';
import type { Repository } from '../repository.ts';

/** What a query of a repository can name: its lookup files and saved queries, and the repositories of the server. */
export function repositoryLibrary(
  repository: Repository,
  repositories: Repositories,
  referenceData?: ReferenceData,
): QueryLibrary {
  const { files, savedQueries } = repository;
  return {
    file: (name) => usedFile(repository, name)?.table,
    fileNames: () => files.list().map(({ name }) => name),
    savedQuery: (name) => savedQueries.findByName(name)?.queryString,
    savedQueryNames: () => savedQueries.list().map(({ name }) => name),
    repositoryNames: () => repositories.list().map(({ name }) => name),
    referenceData,
  };
}

/**
 * The file that a query means by a name. Files of packages have a path in front of their name; here such a file is
 * found by its name alone.
 */
export function usedFile({ files }: Repository, name: string): LookupFile | undefined {
  return files.get(name) ?? files.get(name.slice(name.lastIndexOf('/') + 1));
}

/** What a query can name that is checked, but not run: anything that some repository has. */
export function serverLibrary(repositories: Repositories): QueryLibrary {
  const libraries = (): QueryLibrary[] =>
    repositories.list().map((repository) => repositoryLibrary(repository, repositories));
  const first = <Item>(find: (library: QueryLibrary) => Item | undefined): Item | undefined => {
    for (const library of libraries()) {
      const item = find(library);
      if (item !== undefined) return item;
    }
    return undefined;
  };
  return {
    file: (name) => first((library) => library.file(name)),
    fileNames: () => libraries().flatMap((library) => library.fileNames()),
    savedQuery: (name) => first((library) => library.savedQuery(name)),
    savedQueryNames: () => libraries().flatMap((library) => library.savedQueryNames()),
    repositoryNames: () => repositories.list().map(({ name }) => name),
  };
}

/** The events that the sub-queries of a query read. A repository that is gone has none. */
export function repositoryEvents(own: Repository, repositories: Repositories): EventSource {
  return {
    *events({ repository: name, start, end }) {
      const repository = name === undefined ? own : repositories.get(name);
      for (const stretch of repository?.store.snapshot(start, end) ?? []) {
        for (let index = stretch.start; index < stretch.end; index++) yield stretch.events.row(index);
      }
    },
  };
}
