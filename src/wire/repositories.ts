export interface Repository {
  readonly id: string;
  readonly name: string;
  readonly description?: string | null;
}

/** A repository with how long it keeps its events. */
export interface RepositoryDetails extends Repository, Retention {
  /** What the events take on the disks of the service, in bytes. */
  readonly compressedByteSize: number;
  /** Does a search begin by itself when the web page of the repository is opened? */
  readonly automaticSearch: boolean;
}

/** When events of a repository are deleted; `null` sets no limit. */
export interface Retention {
  /** At this age, in days. */
  readonly timeBasedRetention: number | null;
  /** When what was ingested is larger, in GiB as it was sent. The oldest go. */
  readonly ingestSizeBasedRetention: number | null;
  /** When what is stored is larger, in GiB on the disk. The oldest go. */
  readonly storageSizeBasedRetention: number | null;
}

/** A repository or a view. */
export interface SearchDomain {
  readonly name: string;
}

/** A repository or a view, as a list tells of it. */
export interface SearchDomainSummary extends SearchDomain {
  readonly description: string | null;
  readonly kind: 'Repository' | 'View';
}

/** What is known of a repository or a view. */
export interface SearchDomainDetails extends SearchDomainSummary {
  readonly id: string;
  readonly automaticSearch: boolean;
  /** What a view shows; a repository has none. */
  readonly connections: readonly ViewConnection[];
}

/** What a view shows of a repository. */
export interface ViewConnection {
  readonly repositoryName: string;
  /** A query that an event has to match; `*` for all. */
  readonly filter: string;
}
