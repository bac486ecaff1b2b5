import { Registry, type RegistryOptions } from '../registries/registry.ts';
import { type Repositories, repositoryNameProblem } from '../repositories.ts';
import type { EventReader } from '../search-domain.ts';
import type { ViewConnection } from './event-filter.ts';
import { View } from './view.ts';

const MAX_VIEWS = 1000;

interface SavedView {
  readonly name: string;
  readonly connections: readonly ViewConnection[];
}

export interface ViewsOptions extends RegistryOptions {
  readonly repositories: Repositories;
}

export class Views {
  readonly #options: ViewsOptions;
  readonly #saved: Registry<SavedView>;
  readonly #byName = new Map<string, View>();

  constructor(options: ViewsOptions) {
    const { folder } = options;
    this.#options = options;
    this.#saved = new Registry<SavedView>({
      folder,
      file: 'views.json',
      texts: ['name'],
      max: MAX_VIEWS,
      owner: 'This server',
      noun: 'views',
    });
    for (const { name } of this.#saved.list())
      if (repositoryNameProblem(name) === undefined) this.#open(name);
  }

  get(name: string): View | undefined {
    return this.#byName.get(name);
  }

  list(): View[] {
    return [...this.#byName.values()];
  }

  isBuiltIn(name: string): boolean {
    return this.#saved.get(name) === undefined;
  }

  /**
   * Creates a view that clients can't change.
   *
   * @param store the events, if they are not those of the connections.
   */
  addBuiltIn(name: string, connections: () => readonly ViewConnection[], store?: EventReader): void {
    this.#open(name, connections, store);
  }

  /** Creates a view or changes its connections. The name must be valid. @throws ResourceError if there are too many */
  set(name: string, connections: readonly ViewConnection[]): View {
    this.#saved.put({ name, connections });
    return this.#byName.get(name) ?? this.#open(name);
  }

  /** Deletes a view with its files and saved queries; false if there is none with that name. */
  delete(name: string): boolean {
    if (!this.#byName.delete(name)) return false;
    this.#saved.remove(name);
    this.#options.folder.subfolder('views').remove(name);
    return true;
  }

  #open(
    name: string,
    connections = () => this.#saved.get(name)?.connections ?? [],
    store?: EventReader,
  ): View {
    const { repositories, clock, folder } = this.#options;
    const view = new View({
      name,
      connections,
      store,
      clock,
      folder: folder.subfolder('views').subfolder(name),
      findRepository: (repositoryName) => repositories.get(repositoryName),
    });
    this.#byName.set(name, view);
    return view;
  }
}
