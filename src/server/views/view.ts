import type { ViewConnection } from '../../core/wire/repositories.ts';
import { LookupFiles } from '../lookup-files/lookup-files.ts';
import type { RegistryOptions } from '../registries/registry.ts';
import { SavedQueries } from '../registries/saved-queries.ts';
import type { Repository } from '../repository.ts';
import type { EventReader, SearchDomain } from '../search-domain.ts';
import { eventFilterOf } from './event-filter.ts';
import { JoinedStores } from './joined-stores.ts';

export interface ViewOptions extends RegistryOptions {
  readonly name: string;
  /** Returns the current connections. */
  readonly connections: () => readonly ViewConnection[];
  readonly findRepository: (name: string) => Repository | undefined;
  /** The events, if they are not those of the connections. */
  readonly store?: EventReader | undefined;
}

/** Events of repositories under another name, with separate files and saved queries. */
export class View implements SearchDomain {
  readonly name: string;
  readonly files: LookupFiles;
  readonly savedQueries: SavedQueries;
  readonly store: EventReader;
  readonly #options: ViewOptions;

  constructor(options: ViewOptions) {
    const { name, clock, folder } = options;
    this.name = name;
    this.#options = options;
    this.files = new LookupFiles({ clock, folder });
    this.savedQueries = new SavedQueries({ folder });
    // Two connections can filter the same repository.
    const stores = (): EventReader[] => [
      ...new Set(this.connections.map(({ repository }) => repository.store)),
    ];
    this.store = options.store ?? new JoinedStores(stores);
  }

  /** The connections whose repository exists. */
  get connections(): readonly (ViewConnection & { readonly repository: Repository })[] {
    return this.#options.connections().flatMap((connection) => {
      const repository = this.#options.findRepository(connection.repositoryName);
      return repository === undefined ? [] : { ...connection, repository };
    });
  }

  get eventFilter(): string | undefined {
    return eventFilterOf(this.connections);
  }
}
