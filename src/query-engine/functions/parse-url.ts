import { readField } from '../event.ts';
import { resolveReference, splitUri, URI_PARTS, type UriParts, writeUriParts } from '../formats/uri-parts.ts';
import { withColumns } from '../operators/operator.ts';
import { editStep } from '../operators/row-code.ts';
import { fieldName, text } from '../signature/argument-types.ts';
import { defineTransform, optional, required, withDefault } from '../signature/function-spec.ts';

/** Splits a URL or a part of one, such as `/path?query`, by the rules of `java.net.URI`. Nothing is decoded. */
export const parseUrl = defineTransform({
  name: 'parseUrl',
  parameters: {
    field: withDefault(fieldName, 'url', { unnamed: true }),
    as: optional(fieldName),
  },
  compile({ field, as = field }) {
    const names = URI_PARTS.map((part) => `${as}.${part}`);
    return editStep(
      (row) => {
        const parts = splitUri(readField(row, field) ?? '');
        if (parts !== undefined) writeUriParts(row, withoutOpaquePart(parts), names);
      },
      (before) => withColumns(before, names),
    );
  },
});

/** The part after the scheme of `mailto:a@example.com` or `example.com:80/x` is neither a path nor a query. */
function withoutOpaquePart(parts: UriParts): UriParts {
  const { scheme, host, path } = parts;
  const isOpaque = scheme !== undefined && host === undefined && path !== undefined && !path.startsWith('/');
  return isOpaque ? { ...parts, path: undefined, query: undefined } : parts;
}

/** Splits a URI or a reference such as `/path?query` into its parts, nothing decoded. */
export const parseUri = defineTransform({
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
  compile({ field, defaultBase, prefix = field }) {
    const names = URI_PARTS.map((part) => `${prefix}.${part}`);
    return editStep(
      (row) => {
        const value = readField(row, field);
        if (value === undefined) return;
        const parts = splitUri(defaultBase === undefined ? value : resolveReference(value, defaultBase));
        if (parts !== undefined) writeUriParts(row, parts, names);
      },
      (before) => withColumns(before, names),
    );
  },
});
