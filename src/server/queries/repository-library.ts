import type { QueryLibrary } from '../../engine/index.ts';
import type { LookupFile } from '../lookup-files/lookup-files.ts';
import type { SearchDomain } from '../search-domain.ts';
import type { SearchDomains } from '../search-domains.ts';

/** What a query of a repository or view can use: its lookup files and saved queries, and other repositories. */
export function repositoryLibrary(repository: SearchDomain, searchDomains: SearchDomains): QueryLibrary {
  const { files, savedQueries } = repository;
  return {
    file: (name) => usedFile(repository, name)?.table,
    fileNames: () => files.list().map(({ name }) => name),
    savedQuery: (name) => savedQueries.findBy('name', name)?.queryString,
    savedQueryNames: () => savedQueries.list().map(({ name }) => name),
    repositoryNames: () => searchDomains.list().map(({ name }) => name),
    referenceData: searchDomains.referenceData,
  };
}

/** Resolves a file name in a query. Files of packages have a path before the name, which is ignored here. */
export function usedFile({ files }: SearchDomain, name: string): LookupFile | undefined {
  return files.get(name) ?? files.get(name.slice(name.lastIndexOf('/') + 1));
}

/** The library for queries that are checked but not run: everything that any repository has. */
export function serverLibrary(searchDomains: SearchDomains): QueryLibrary {
  const libraries = (): QueryLibrary[] =>
    searchDomains.list().map((domain) => repositoryLibrary(domain, searchDomains));
  const first = <Item>(find: (library: QueryLibrary) => Item | undefined): Item | undefined =>
    libraries()
      .map(find)
      .find((item) => item !== undefined);
  return {
    file: (name) => first((library) => library.file(name)),
    fileNames: () => libraries().flatMap((library) => library.fileNames()),
    savedQuery: (name) => first((library) => library.savedQuery(name)),
    savedQueryNames: () => libraries().flatMap((library) => library.savedQueryNames()),
    repositoryNames: () => searchDomains.list().map(({ name }) => name),
  };
}
