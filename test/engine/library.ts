import type { Fields, LookupTable, QueryLibrary, ReferenceData } from '../../src/engine/index.ts';

/** What the queries of a test can refer to. */
export interface LibraryContent {
  /** By file name: lines of comma-separated cells, the first one with the names of the columns. */
  readonly files?: Readonly<Record<string, readonly string[]>>;
  readonly savedQueries?: Readonly<Record<string, string>>;
  /** The events of other repositories. */
  readonly repositories?: Readonly<Record<string, readonly Fields[]>>;
  /** Data about addresses. */
  readonly referenceData?: ReferenceData;
}

export function libraryOf(content: LibraryContent = {}): QueryLibrary {
  const { files = {}, savedQueries = {}, repositories = {}, referenceData } = content;
  return {
    file: (name) => (Object.hasOwn(files, name) ? tableOf(files[name]!) : undefined),
    fileNames: () => Object.keys(files),
    savedQuery: (name) => (Object.hasOwn(savedQueries, name) ? savedQueries[name] : undefined),
    savedQueryNames: () => Object.keys(savedQueries),
    repositoryNames: () => Object.keys(repositories),
    referenceData,
  };
}

function tableOf([first = '', ...lines]: readonly string[]): LookupTable {
  return { headers: first.split(','), rows: lines.map((line) => line.split(',')) };
}
