/**
 * Kind of service: `logscale` for Falcon LogScale, `ngsiem` for CrowdStrike Next-Gen SIEM, which has the same query
 * language with another API.
 */
export type ServiceKind = 'logscale' | 'ngsiem';

/** Which APIs a kind of service has, besides query jobs and lookup files, which exist on both. */
export interface Capabilities {
  /** Streaming queries. Without them, tails and streaming queries run on query jobs. */
  readonly streaming: boolean;
  /** The GraphQL API, which most maintenance methods need. */
  readonly graphql: boolean;
  /** LogScale's ingest endpoints. */
  readonly ingest: boolean;
  /** Whether an invalid query gets status 400 with an explanation. If not, queries are checked before they are sent. */
  readonly diagnostics: boolean;
}

export const CAPABILITIES: Readonly<Record<ServiceKind, Capabilities>> = {
  logscale: { streaming: true, graphql: true, ingest: true, diagnostics: true },
  ngsiem: { streaming: false, graphql: false, ingest: false, diagnostics: false },
};
