import { type PipelineNode, parse, QuerySyntaxError } from '../../query-language/index.ts';
import type { LookupTable, QueryLibrary } from '../query-library.ts';

/** Saved queries that call each other twice, again and again, become long soon. */
const MAX_CALLS = 500;

export interface SavedQueryText {
  readonly text: string;
  readonly tree: PipelineNode;
}

/** Saved queries that the platform provides. Their tables are not public, so they leave events unchanged. */
export const PLATFORM_QUERIES: ReadonlyMap<string, string> = new Map([
  ['falcon/helper:enrich', 'test(?field == ?field)'],
]);

/** What all parts of one query share while it is compiled. */
export class Compilation {
  /** The library, with every file as it was when it was first asked for. */
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
   * The saved query of this name; `undefined` when there is none, `'tooMany'` when there were too many calls already.
   *
   * @throws QuerySyntaxError when its text can't be parsed.
   */
  savedQuery(name: string): SavedQueryText | 'tooMany' | undefined {
    this.#calls += 1;
    if (this.#calls > MAX_CALLS) return 'tooMany';
    return this.#readSavedQuery(name);
  }

  /** A saved query that is only looked at; `undefined` also for one whose text can't be parsed. */
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
