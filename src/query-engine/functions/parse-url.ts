import { readField } from '../event.ts';
import { splitUri, URI_PARTS, writeUriParts } from '../formats/uri-parts.ts';
import { withColumns } from '../operators/operator.ts';
import { editStep } from '../operators/row-code.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineTransform, optional, withDefault } from '../signature/function-spec.ts';

/** Splits a URL into its parts: `url.scheme`, `url.host` and so on, nothing decoded. */
export const parseUrl = defineTransform({
  name: 'parseUrl',
  uncertain: ['A string that is not a URL with a scheme and a host leaves the event unchanged.'],
  parameters: {
    field: withDefault(fieldName, 'url', { unnamed: true }),
    as: optional(fieldName),
  },
  compile({ field, as = field }) {
    const names = URI_PARTS.map((part) => `${as}.${part}`);
    return editStep(
      (row) => {
        const parts = splitUri(readField(row, field) ?? '');
        if (parts?.scheme !== undefined && parts.host !== undefined) writeUriParts(row, parts, names);
      },
      (before) => withColumns(before, names),
    );
  },
});
