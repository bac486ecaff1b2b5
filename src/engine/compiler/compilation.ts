import { type PipelineNode, parse, QuerySyntaxError } from '../../language/index.ts';
import type { LookupTable, QueryLibrary } from '../query-library.ts';

/** Limits saved queries that call each other: nested calls multiply. */
const MAX_CALLS = 500;

export interface SavedQueryText {
  readonly text: string;
  readonly tree: PipelineNode;
}

/** Saved queries that the platform provides. Their tables are not public, so they leave events unchanged. */
export const PLATFORM_QUERIES: ReadonlyMap<string, string> = new Map([
  ['falcon/helper:enrich', 'test(?field == ?field)'],
]);

/** State that all parts of a query share during compilation. */
export class Compilation {
  /** Each file is read once. */
  readonly library: QueryLibrary;
  /** The files that the query uses. */
  readonly files = new Map<string, LookupTable>();
  readonly #library: QueryLibrary;
  readonly #savedQueries = new Map<string, SavedQueryText>();
  #calls = 0;

  constructor(library: QueryLibrary) {
    this.#library = library;
    this.library = {
      file: (name) => this.#file(name),
      fileNames: () => library.fileNames(),
      savedQuery: (name) => library.savedQuery(name),
      savedQueryNames: () => library.savedQueryNames(),
      repositoryNames: () => library.repositoryNames(),
      referenceData: library.referenceData,
    };
  }

  /**
   * The saved query with this name; `undefined` if there is none, `'tooMany'` if the limit of calls is reached.
   *
   * @throws QuerySyntaxError if it can't be parsed.
   */
  savedQuery(name: string): SavedQueryText | 'tooMany' | undefined {
    this.#calls += 1;
    if (this.#calls > MAX_CALLS) return 'tooMany';
    return this.#readSavedQuery(name);
  }

  /** A saved query without counting a call; `undefined` also if it can't be parsed. */
  peekSavedQuery(name: string): SavedQueryText | undefined {
    try {
      return this.#readSavedQuery(name);
    } catch (error) {
      if (error instanceof QuerySyntaxError) return undefined;
      throw error;
    }
  }

  #readSavedQuery(name: string): SavedQueryText | undefined {
    const known = this.#savedQueries.get(name);
    if (known !== undefined) return known;
    const text = this.#library.savedQuery(name) ?? PLATFORM_QUERIES.get(name);
    if (text === undefined) return undefined;
    const saved = { text, tree: parse(text) };
    this.#savedQueries.set(name, saved);
    return saved;
  }

  #file(name: string): LookupTable | undefined {
    const file = this.files.get(name) ?? this.#library.file(name);
    if (file !== undefined) this.files.set(name, file);
    return file;
  }
}
