import { readField } from '../event.ts';
import { resolveReference, splitUri, URI_PARTS, writeUriParts } from '../formats/uri-parts.ts';
import { withColumns } from '../operators/operator.ts';
import { editStep } from '../operators/row-code.ts';
import { fieldName, text } from '../signature/argument-types.ts';
import { defineTransform, optional, required } from '../signature/function-spec.ts';

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
