/**
 * Kind of service: `logscale` for Falcon LogScale, `ngsiem` for CrowdStrike Next-Gen SIEM, which has the same query
 * language with another API.
 */
export type ServiceKind = 'logscale' | 'ngsiem';

/**
 * Whether a service has the APIs of LogScale. Others have query jobs and lookup files only: no streaming queries, no
 * GraphQL, no endpoints of its own to ingest, and no status 400 that explains what is wrong with a query.
 */
export function isLogScale(kind: ServiceKind): boolean {
  return kind === 'logscale';
}
