import type { LookupFiles } from './lookup-files/lookup-files.ts';
import type { SavedQueries } from './registries/saved-queries.ts';
import type { EventStore } from './store/event-store.ts';

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
