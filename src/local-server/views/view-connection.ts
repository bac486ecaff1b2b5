/** What a view shows of a repository. */
export interface ViewConnection {
  readonly repositoryName: string;
  /** A query of filters. */
  readonly filter: string;
}
