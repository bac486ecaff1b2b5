import type { LookupFiles } from './lookup-files/lookup-files.ts';
import type { SavedQueries } from './registries/saved-queries.ts';
import type { Repositories } from './repositories.ts';
import type { Repository } from './repository.ts';
import type { EventStore } from './store/event-store.ts';
import type { View } from './views/view.ts';
import type { Views } from './views/views.ts';

/** What a query reads of a store. */
export type EventReader = Pick<
  EventStore,
  'snapshot' | 'onAppend' | 'completeUntil' | 'version' | 'count' | 'bytes'
>;

/** What queries can be asked of: a repository or a view. */
export interface SearchDomain {
  readonly name: string;
  readonly store: EventReader;
  readonly files: LookupFiles;
  readonly savedQueries: SavedQueries;
  /** What events have to pass before a query sees them, in the query language; `undefined`: nothing. */
  readonly eventFilter?: string | undefined;
}

/** The repositories and the views of a server: what has a name in the path of a query. */
export class SearchDomains {
  readonly repositories: Repositories;
  readonly views: Views;

  constructor(repositories: Repositories, views: Views) {
    this.repositories = repositories;
    this.views = views;
  }

  get(name: string): Repository | View | undefined {
    return this.repositories.get(name) ?? this.views.get(name);
  }

  list(): (Repository | View)[] {
    return [...this.repositories.list(), ...this.views.list()];
  }

  /** Names become folders, and some file systems don't tell upper case from lower case. */
  findLike(name: string): SearchDomain | undefined {
    return this.list().find((domain) => domain.name.toLowerCase() === name.toLowerCase());
  }
}
