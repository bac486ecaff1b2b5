/** A query that is kept on the service under a name. */
export interface SavedQuery {
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
  readonly description: string | null;
  readonly query: {
    readonly queryString: string;
    readonly start: string;
    readonly end: string;
    readonly isLive: boolean;
  };
}
