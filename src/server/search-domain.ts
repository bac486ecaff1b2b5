import type { LookupFiles } from './lookup-files/lookup-files.ts';
import type { SavedQueries } from './registries/saved-queries.ts';
import type { EventStore } from './store/event-store.ts';

/** The part of a store that queries use. */
export type EventReader = Pick<
  EventStore,
  'snapshot' | 'onAppend' | 'completeUntil' | 'evictedUntil' | 'version' | 'removals' | 'count' | 'bytes'
>;

/** A repository or a view. */
export interface SearchDomain {
  readonly name: string;
  readonly store: EventReader;
  readonly files: LookupFiles;
  readonly savedQueries: SavedQueries;
  /** Share of its files that `logclient view` has read, from 0 to 1; `undefined` once it has read all. */
  readonly readShare?: number | undefined;
  /** A filter that runs before every query; `undefined` for none. */
  readonly eventFilter?: string | undefined;
}
