import { readField } from '../event.ts';
import { resolveReference, splitUri, URI_PARTS, type UriParts, writeUriParts } from '../formats/uri-parts.ts';
import { type StreamStep, withColumns } from '../operators/operator.ts';
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
    return partsStep(field, as, (text) => {
      const parts = splitUri(text);
      return parts && withoutOpaquePart(parts);
    });
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
  compile: ({ field, defaultBase, prefix = field }) =>
    partsStep(field, prefix, (text) =>
      splitUri(defaultBase === undefined ? text : resolveReference(text, defaultBase)),
    ),
});

/** Writes the parts of a field's value to `<prefix>.scheme` and so on. */
function partsStep(field: string, prefix: string, split: (text: string) => UriParts | undefined): StreamStep {
  const names = URI_PARTS.map((part) => `${prefix}.${part}`);
  return editStep(
    (row) => {
      const value = readField(row, field);
      const parts = value === undefined ? undefined : split(value);
      if (parts !== undefined) writeUriParts(row, parts, names);
    },
    (before) => withColumns(before, names),
  );
}
