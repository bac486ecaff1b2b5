/** A query saved on the service. */
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
