import type { RegistryOptions } from '../registries/registry-options.ts';
import { type SavedList, savedList } from '../registries/saved-list.ts';
import { type Repositories, repositoryNameProblem } from '../repositories.ts';
import { View } from './view.ts';
import type { ViewConnection } from './view-connection.ts';

/** The service's own view of everything. */
const SEARCH_ALL = 'humio-search-all';

interface SavedView {
  readonly name: string;
  readonly connections: readonly ViewConnection[];
}

export interface ViewsOptions extends RegistryOptions {
  readonly repositories: Repositories;
}

/** The views of a server, by name; one of them is built in and shows all repositories. */
export class Views {
  readonly #options: ViewsOptions;
  readonly #saved: SavedList<SavedView>;
  readonly #byName = new Map<string, View>();
  readonly #connections = new Map<string, readonly ViewConnection[]>();

  constructor(options: ViewsOptions) {
    this.#options = options;
    this.#saved = savedList(options.folder, 'views.json', ['name']);
    this.#open(SEARCH_ALL, () =>
      options.repositories.list().map(({ name }) => ({ repositoryName: name, filter: '*' })),
    );
    for (const { name, connections } of this.#saved.load()) {
      if (repositoryNameProblem(name) === undefined) this.set(name, connections ?? [], { save: false });
    }
  }

  get(name: string): View | undefined {
    return this.#byName.get(name);
  }

  list(): View[] {
    return [...this.#byName.values()];
  }

  isBuiltIn(name: string): boolean {
    return name === SEARCH_ALL;
  }

  /** Makes a view of this name, or changes what it shows. The name has been checked. */
  set(name: string, connections: readonly ViewConnection[], { save = true } = {}): View {
    this.#connections.set(name, connections);
    const view = this.#byName.get(name) ?? this.#open(name, () => this.#connections.get(name) ?? []);
    if (save) this.#save();
    return view;
  }

  /** Deletes a view with its files and saved queries; false when there is none of that name. */
  delete(name: string): boolean {
    if (!this.#byName.delete(name)) return false;
    this.#connections.delete(name);
    this.#save();
    this.#options.folder.subfolder('views').subfolder(name).remove();
    return true;
  }

  #open(name: string, connections: () => readonly ViewConnection[]): View {
    const { repositories, clock, folder } = this.#options;
    const view = new View({
      name,
      connections,
      clock,
      folder: folder.subfolder('views').subfolder(name),
      findRepository: (repositoryName) => repositories.get(repositoryName),
    });
    this.#byName.set(name, view);
    return view;
  }

  #save(): void {
    this.#saved.save([...this.#connections].map(([name, connections]) => ({ name, connections })));
  }
}
