import { tryOr } from '../../core/try-or.ts';

/** Repository of a rejected request, from its token or path; `undefined` if unknown. */
export function rejectedRepository(token: string, path: string): string | undefined {
  const ofToken = /^ingest token ".*" of (.+)$/s.exec(token)?.[1];
  const ofPath = /^\/api\/v1\/(?:repositories|dataspaces)\/([^/]+)/.exec(path)?.[1];
  return ofToken ?? (ofPath && tryOr(ofPath, () => decodeURIComponent(ofPath)));
}
