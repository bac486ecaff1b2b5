export interface Repository {
  readonly id: string;
  readonly name: string;
  readonly description?: string | null;
}

/** A repository with its retention. */
export interface RepositoryDetails extends Repository, Retention {
  /** Size of the events on disk, in bytes. */
  readonly compressedByteSize: number;
  /** True if a search starts automatically when the repository is opened in the web interface. */
  readonly automaticSearch: boolean;
}

/** Retention limits of a repository; `null` means no limit. */
export interface Retention {
  /** Maximum age of events, in days. */
  readonly timeBasedRetention: number | null;
  /** Maximum ingested size, in GiB before compression; the oldest events are deleted. */
  readonly ingestSizeBasedRetention: number | null;
  /** Maximum stored size, in GiB on disk; the oldest events are deleted. */
  readonly storageSizeBasedRetention: number | null;
}

/** A repository or a view. */
export interface SearchDomain {
  readonly name: string;
}

/** A repository or view in a list. */
export interface SearchDomainSummary extends SearchDomain {
  readonly description: string | null;
  readonly kind: 'Repository' | 'View';
}

/** Details of a repository or view. */
export interface SearchDomainDetails extends SearchDomainSummary {
  readonly id: string;
  readonly automaticSearch: boolean;
  /** Repositories that a view shows; empty for a repository. */
  readonly connections: readonly ViewConnection[];
}

/** A repository that a view shows, with a filter. */
export interface ViewConnection {
  readonly repositoryName: string;
  /** Filter query; `*` for all events. */
  readonly filter: string;
}
