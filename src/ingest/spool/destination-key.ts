import { createHash } from 'node:crypto';

/** The service, repository and token that records are for. Records are never sent to another destination. */
export interface SpoolDestination {
  readonly baseUrl: URL;
  /** Path below the address. */
  readonly endpoint: string;
  readonly token: string;
}

const LONGEST_HOST = 32;
const HASH_DIGITS = 12;

export function isDestinationKey(name: string): boolean {
  return /-[0-9a-f]{12}$/.test(name);
}

/** Folder name of a destination: its host, for readability, and a hash that does not reveal the token. */
export function destinationKey({ baseUrl, endpoint, token }: SpoolDestination): string {
  const address = `${baseUrl.protocol}//${baseUrl.host}${baseUrl.pathname}`;
  const hash = createHash('sha256').update(`${address}\n${endpoint}\n${token}`).digest('hex');
  const host = baseUrl.host.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-');
  return `${host.replaceAll(/^[.-]+|[.-]+$/g, '').slice(0, LONGEST_HOST)}-${hash.slice(0, HASH_DIGITS)}`;
}
