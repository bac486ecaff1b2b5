import { type Fields, writeField } from '../event.ts';

/** The parts of a URI as they are written, nothing decoded. A part that isn't there is `undefined`. */
export interface UriParts {
  readonly scheme: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly host: string | undefined;
  readonly port: string | undefined;
  readonly path: string | undefined;
  readonly query: string | undefined;
  readonly fragment: string | undefined;
}

export const URI_PARTS = [
  'scheme',
  'username',
  'password',
  'host',
  'port',
  'path',
  'query',
  'fragment',
] as const satisfies readonly (keyof UriParts)[];

const URI = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const AUTHORITY = /^(?:([^:@]*)(?::([^@]*))?@)?(\[[^\]]*\]|[^:@[\]]*)(?::(\d*))?$/;

/** Splits a URI or a reference such as `/path?query`; `undefined` when it can't be one. */
export function splitUri(text: string): UriParts | undefined {
  if (/\s/.test(text)) return undefined;
  const [, scheme, authority, path = '', query, fragment] = URI.exec(text) ?? [];
  const [whole, username, password, host, port] = AUTHORITY.exec(authority ?? '') ?? [];
  if (whole === undefined) return undefined;
  return {
    scheme,
    username,
    password,
    host: host || undefined,
    port: port || undefined,
    path: path || undefined,
    query,
    fragment,
  };
}

/** Writes the parts that there are as `<prefix>.scheme` and so on. */
export function writeUriParts(row: Fields, parts: UriParts, names: readonly string[]): void {
  for (const [index, part] of URI_PARTS.entries()) {
    const value = parts[part];
    if (value !== undefined) writeField(row, names[index]!, value);
  }
}

/** What a reference means in relation to a base; a base such as `http://` stands before the reference as it is. */
export function resolveReference(reference: string, base: string): string {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(reference)) return reference;
  if (base.endsWith('//')) return base + reference.replace(/^\/\//, '');
  const [, scheme = '', authority = '', path = ''] = /^([^/?#]*:)?(\/\/[^/?#]*)?([^?#]*)/.exec(base) ?? [];
  if (reference.startsWith('//')) return scheme + reference;
  if (reference.startsWith('/')) return scheme + authority + reference;
  if (reference === '' || /^[?#]/.test(reference)) return scheme + authority + path + reference;
  return `${scheme}${authority}${path.slice(0, path.lastIndexOf('/') + 1) || '/'}${reference}`;
}
