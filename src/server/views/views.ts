import { tryOr } from '../../core/try-or.ts';
import type { ViewConnection } from '../../core/wire/repositories.ts';
import { Registry, type RegistryOptions } from '../registries/registry.ts';
import { type Repositories, repositoryNameProblem } from '../repositories.ts';
import type { EventReader } from '../search-domain.ts';
import { View } from './view.ts';

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
    const kind = { noun: 'view', file: 'views.json', texts: ['name'], max: 1000 } as const;
    this.#saved = new Registry<SavedView>(folder, kind);
    for (const { name } of this.#saved.list())
      if (repositoryNameProblem(name) === undefined) this.#byName.set(name, this.#view(name));
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
    this.#byName.set(name, this.#view(name, connections, store));
  }

  /** Creates a view or changes its connections. The name must be valid. @throws ResourceError if there are too many */
  set(name: string, connections: readonly ViewConnection[]): View {
    const known = this.#byName.get(name);
    // A deleted view may have left its files.
    if (known === undefined) this.#options.folder.subfolder('views').removeSubfolder(name);
    const view = known ?? this.#view(name);
    this.#saved.put({ name, connections });
    this.#byName.set(name, view);
    return view;
  }

  /** Deletes a view with its files and saved queries; false if there is none with that name. */
  delete(name: string): boolean {
    if (!this.#byName.has(name)) return false;
    this.#saved.remove(name);
    this.#byName.delete(name);
    tryOr(undefined, () => this.#options.folder.subfolder('views').removeSubfolder(name));
    return true;
  }

  #view(
    name: string,
    connections = () => this.#saved.get(name)?.connections ?? [],
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
