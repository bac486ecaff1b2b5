export interface Repository {
  readonly id: string;
  readonly name: string;
  readonly description?: string | null;
}

/** A repository or a view. */
export interface SearchDomain {
  readonly name: string;
}

/** What a view shows of a repository. */
export interface ViewConnection {
  readonly repositoryName: string;
  /** A query that an event has to match. */
  readonly filter: string;
}
