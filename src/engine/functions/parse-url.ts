import { writeField } from '../event.ts';
import type { StreamStep } from '../operators/operator.ts';
import { fieldStep } from '../operators/row-code.ts';
import { fieldName, text } from '../signature/argument-types.ts';
import { define, optional, required, withDefault } from '../signature/function-spec.ts';

/** Splits a URL or a part of one, such as `/path?query`, by the rules of `java.net.URI`. Decodes nothing. */
export const parseUrl = define.transform({
  name: 'parseUrl',
  parameters: {
    field: withDefault(fieldName, 'url', { unnamed: true }),
    as: optional(fieldName),
  },
  compile({ field, as = field }) {
    return partsStep(field, as, (text) => {
      const parts = splitUri(text);
      return parts && withoutOpaquePart(parts);
    });
  },
});

/** In `mailto:a@example.com` and `example.com:80/x`, what follows the scheme is neither a path nor a query. */
function withoutOpaquePart(parts: UriParts): UriParts {
  const { scheme, host, path } = parts;
  const isOpaque = scheme !== undefined && host === undefined && path !== undefined && !path.startsWith('/');
  return isOpaque ? { ...parts, path: undefined, query: undefined } : parts;
}

/** Splits a URI or a reference such as `/path?query`. Decodes nothing. */
export const parseUri = define.transform({
  name: 'parseUri',
  uncertain: [
    'The parts have the same names as in `parseUrl()`.',
    '`defaultBase` applies to strings without "scheme://". "." and ".." in paths are not resolved.',
  ],
  parameters: {
    field: required(fieldName, { unnamed: true }),
    defaultBase: optional(text),
    prefix: optional(fieldName),
  },
  compile: ({ field, defaultBase, prefix = field }) =>
    partsStep(field, prefix, (text) =>
      splitUri(defaultBase === undefined ? text : resolveReference(text, defaultBase)),
    ),
});

/** Writes the existing parts of a field's value to `<prefix>.scheme` and so on. */
function partsStep(field: string, prefix: string, split: (text: string) => UriParts | undefined): StreamStep {
  const names = URI_PARTS.map((part) => `${prefix}.${part}`);
  return fieldStep(field, names, (text, row) => {
    const parts = split(text);
    for (const [index, part] of URI_PARTS.entries()) {
      const value = parts?.[part];
      if (value !== undefined) writeField(row, names[index]!, value);
    }
  });
}

/** The parts of a URI, not decoded. Missing parts are `undefined`. */
interface UriParts {
  readonly scheme: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly host: string | undefined;
  readonly port: string | undefined;
  readonly path: string | undefined;
  readonly query: string | undefined;
  readonly fragment: string | undefined;
}

const URI_PARTS = [
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

/** Splits a URI or a reference such as `/path?query`; `undefined` if it is invalid. */
function splitUri(text: string): UriParts | undefined {
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

/** Resolves a reference against a base. A base without a host, such as `http://`, is only prepended. */
function resolveReference(reference: string, base: string): string {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(reference)) return reference;
  if (base.endsWith('//')) return base + reference.replace(/^\/\//, '');
  const [, scheme = '', authority = '', path = ''] = /^([^/?#]*:)?(\/\/[^/?#]*)?([^?#]*)/.exec(base) ?? [];
  if (reference.startsWith('//')) return scheme + reference;
  if (reference.startsWith('/')) return scheme + authority + reference;
  if (reference === '' || /^[?#]/.test(reference)) return scheme + authority + path + reference;
  return `${scheme}${authority}${path.slice(0, path.lastIndexOf('/') + 1) || '/'}${reference}`;
}
