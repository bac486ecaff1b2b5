import type { LookupFiles } from './lookup-files/lookup-files.ts';
import type { SavedQueries } from './registries/saved-queries.ts';
import type { Repositories } from './repositories.ts';
import type { Repository } from './repository.ts';
import type { EventStore } from './store/event-store.ts';
import type { View } from './views/view.ts';
import type { Views } from './views/views.ts';

/** The part of a store that queries use. */
export type EventReader = Pick<
  EventStore,
  'snapshot' | 'onAppend' | 'completeUntil' | 'evictedUntil' | 'version' | 'count' | 'bytes'
>;

/** A repository or a view. */
export interface SearchDomain {
  readonly name: string;
  readonly store: EventReader;
  readonly files: LookupFiles;
  readonly savedQueries: SavedQueries;
  /** A filter that runs before every query; `undefined` for none. */
  readonly eventFilter?: string | undefined;
}

/** The repositories and views of a server. */
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

  /** Names become folders, and some file systems ignore case. */
  findLike(name: string): SearchDomain | undefined {
    return this.list().find((domain) => domain.name.toLowerCase() === name.toLowerCase());
  }
}
