import type { ServerClock } from './clock.ts';
import { LookupFiles } from './lookup-files/lookup-files.ts';
import { IngestTokens } from './registries/ingest-tokens.ts';
import { Parsers } from './registries/parsers.ts';
import type { RegistryOptions } from './registries/registry.ts';
import { Retention } from './registries/retention.ts';
import { SavedQueries } from './registries/saved-queries.ts';
import type { SearchDomain } from './search-domain.ts';
import type { EventStore } from './store/event-store.ts';

export interface RepositoryOptions extends RegistryOptions {
  readonly name: string;
  readonly store: EventStore;
}

export class Repository implements SearchDomain {
  readonly name: string;
  readonly files: LookupFiles;
  readonly savedQueries: SavedQueries;
  readonly ingestTokens: IngestTokens;
  readonly parsers: Parsers;
  readonly retention: Retention;
  /** A repository shows all its events. */
  readonly eventFilter: undefined;
  readShare: number | undefined;
  readonly #clock: ServerClock;
  readonly #store: EventStore;

  constructor({ name, store, clock, folder }: RepositoryOptions) {
    this.name = name;
    this.#clock = clock;
    this.#store = store;
    this.files = new LookupFiles({ clock, folder });
    this.savedQueries = new SavedQueries({ folder });
    this.ingestTokens = new IngestTokens({ folder });
    this.parsers = new Parsers({ folder });
    this.retention = new Retention({ folder });
  }

  /** The events, without those beyond the retention. */
  get store(): EventStore {
    this.expire();
    return this.#store;
  }

  /** Deletes events beyond the retention. */
  expire(): void {
    const { maxAgeMs, maxBytes } = this.retention;
    if (Number.isFinite(maxAgeMs) || Number.isFinite(maxBytes)) {
      this.#store.retain(this.#clock.now() - maxAgeMs, maxBytes);
    }
  }
}
