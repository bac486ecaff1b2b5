import { createHash } from 'node:crypto';

/** Where records go. Records of one destination are never sent to another. */
export interface SpoolDestination {
  readonly baseUrl: URL;
  /** Below `api/v1/`. */
  readonly endpoint: string;
  readonly token: string;
}

const LONGEST_HOST = 32;
const HASH_DIGITS = 12;

export function isDestinationKey(name: string): boolean {
  return /-[0-9a-f]{12}$/.test(name);
}

/** The name of the folder for a destination: its host for people, and a hash that tells nothing of the token. */
export function destinationKey({ baseUrl, endpoint, token }: SpoolDestination): string {
  const address = `${baseUrl.protocol}//${baseUrl.host}${baseUrl.pathname}`;
  const hash = createHash('sha256').update(`${address}\n${endpoint}\n${token}`).digest('hex');
  const host = baseUrl.host.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-');
  return `${host.replaceAll(/^[.-]+|[.-]+$/g, '').slice(0, LONGEST_HOST)}-${hash.slice(0, HASH_DIGITS)}`;
}
