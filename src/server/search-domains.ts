import { tryOr } from '../core/try-or.ts';
import type { ViewConnection } from '../core/wire/repositories.ts';
import type { ReferenceData } from '../engine/index.ts';
import { Registry, type RegistryOptions } from './registries/registry.ts';
import { type Repositories, repositoryNameProblem } from './repositories.ts';
import type { Repository } from './repository.ts';
import type { EventReader, SearchDomain } from './search-domain.ts';
import { View } from './views/view.ts';

interface SavedView {
  readonly name: string;
  readonly connections: readonly ViewConnection[];
}

export interface SearchDomainsOptions extends RegistryOptions {
  readonly repositories: Repositories;
  /** What the queries of all of them can look up. */
  readonly referenceData: ReferenceData;
}

/** The repositories and views of a server. */
export class SearchDomains {
  readonly referenceData: ReferenceData;
  readonly #options: SearchDomainsOptions;
  readonly #savedViews: Registry<SavedView>;
  readonly #views = new Map<string, View>();

  constructor(options: SearchDomainsOptions) {
    this.referenceData = options.referenceData;
    this.#options = options;
    const kind = { noun: 'view', file: 'views.json', texts: ['name'], max: 1000 } as const;
    this.#savedViews = new Registry<SavedView>(options.folder, kind);
    for (const { name } of this.#savedViews.list())
      if (repositoryNameProblem(name) === undefined) this.#views.set(name, this.#view(name));
  }

  get(name: string): Repository | View | undefined {
    return this.#options.repositories.get(name) ?? this.#views.get(name);
  }

  list(): (Repository | View)[] {
    return [...this.#options.repositories.list(), ...this.#views.values()];
  }

  /** Names become folders, and some file systems ignore case. */
  findLike(name: string): SearchDomain | undefined {
    return this.list().find((domain) => domain.name.toLowerCase() === name.toLowerCase());
  }

  isBuiltInView(name: string): boolean {
    return this.#savedViews.get(name) === undefined;
  }

  /**
   * Creates a view that clients can't change.
   *
   * @param store the events, if they are not those of the connections.
   */
  addBuiltInView(name: string, connections: () => readonly ViewConnection[], store?: EventReader): void {
    this.#views.set(name, this.#view(name, connections, store));
  }

  /** Creates a view or changes its connections. The name must be valid. @throws ResourceError if there are too many */
  setView(name: string, connections: readonly ViewConnection[]): View {
    const known = this.#views.get(name);
    // A deleted view may have left its files.
    if (known === undefined) this.#options.folder.subfolder('views').removeSubfolder(name);
    const view = known ?? this.#view(name);
    this.#savedViews.put({ name, connections });
    this.#views.set(name, view);
    return view;
  }

  /** Deletes a view with its files and saved queries. @throws ResourceError if clients can't change it */
  deleteView(name: string): void {
    this.#savedViews.remove(name);
    this.#views.delete(name);
    tryOr(undefined, () => this.#options.folder.subfolder('views').removeSubfolder(name));
  }

  #view(
    name: string,
    connections = () => this.#savedViews.get(name)?.connections ?? [],
    store?: EventReader,
  ): View {
    const { repositories, clock, folder } = this.#options;
    return new View({
      name,
      connections,
      store,
      clock,
      folder: folder.subfolder('views').subfolder(name),
      findRepository: (repositoryName) => repositories.get(repositoryName),
    });
  }
}
