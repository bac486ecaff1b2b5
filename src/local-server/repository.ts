import { LookupFiles } from './lookup-files/lookup-files.ts';
import { IngestTokens } from './registries/ingest-tokens.ts';
import { Parsers } from './registries/parsers.ts';
import type { RegistryOptions } from './registries/registry-options.ts';
import { SavedQueries } from './registries/saved-queries.ts';
import type { EventStore } from './store/event-store.ts';

export interface RepositoryOptions extends RegistryOptions {
  readonly name: string;
  readonly store: EventStore;
}

/** One repository: its events, and what belongs to them. */
export class Repository {
  readonly name: string;
  readonly store: EventStore;
  readonly files: LookupFiles;
  readonly savedQueries: SavedQueries;
  readonly ingestTokens: IngestTokens;
  readonly parsers: Parsers;

  constructor({ name, store, clock, folder }: RepositoryOptions) {
    this.name = name;
    this.store = store;
    this.files = new LookupFiles({ clock, folder });
    this.savedQueries = new SavedQueries({ clock, folder });
    this.ingestTokens = new IngestTokens({ clock, folder });
    this.parsers = new Parsers({ clock, folder });
  }
}
