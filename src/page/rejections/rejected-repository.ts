import { tryOr } from '../../core/try-or.ts';

/** Repository of a rejected request, from its token or path; `undefined` if unknown. */
export function rejectedRepository(token: string, path: string): string | undefined {
  const ofToken = /^ingest token ".*" of (.+)$/s.exec(token)?.[1];
  const ofPath = /^\/api\/v1\/(?:repositories|dataspaces)\/([^/]+)/.exec(path)?.[1];
  return ofToken ?? (ofPath && tryOr(ofPath, () => decodeURIComponent(ofPath)));
}

/** Whether a rejection is a mistake in a query. The client that sent it has shown it, and no record is missing. */
export function isOfQuery(path: string, status: string): boolean {
  return /\/(?:query|queryjobs|patterns|cost)$/.test(path) && /^[24]00$/.test(status);
}
