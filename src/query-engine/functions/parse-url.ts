import { readField } from '../event.ts';
import { splitUri, URI_PARTS, type UriParts, writeUriParts } from '../formats/uri-parts.ts';
import { withColumns } from '../operators/operator.ts';
import { editStep } from '../operators/row-code.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineTransform, optional, withDefault } from '../signature/function-spec.ts';

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
