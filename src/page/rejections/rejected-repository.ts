/** Repository of a rejected request, from its token or path; `undefined` if unknown. */
export function rejectedRepository(token: string, path: string): string | undefined {
  const ofToken = /^ingest token ".*" of (.+)$/s.exec(token)?.[1];
  const ofPath = /^\/api\/v1\/(?:repositories|dataspaces)\/([^/]+)/.exec(path)?.[1];
  return ofToken ?? (ofPath === undefined ? undefined : decoded(ofPath));
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
