import { readField, writeField } from '../event.ts';
import { markError } from '../formats/parse-error.ts';
import { readXml } from '../formats/xml-fields.ts';
import { rowStep } from '../operators/row-code.ts';
import { fieldName, flag, text } from '../signature/argument-types.ts';
import { defineTransform, withDefault } from '../signature/function-spec.ts';

/** Makes fields of the XML text in a field. Text that isn't XML leaves the event as it is, with `@error` set. */
export const parseXml = defineTransform({
  name: 'parseXml',
  uncertain: [
    'An attribute is a member of its element: `<a b="1"/>` sets `a.b`.',
    'Repeated elements form an array: `a.b[0]`, `a.b[1]`. A single element has no index.',
    'Element text is trimmed. An empty element sets an empty field.',
    'Events without the field are unchanged, even with `strict=true`.',
  ],
  parameters: {
    field: withDefault(fieldName, '@rawstring', { unnamed: true }),
    prefix: withDefault(text, ''),
    strict: withDefault(flag, false),
  },
  compile: ({ field, prefix, strict }) =>
    rowStep((_run, emit) => (row) => {
      const source = readField(row, field);
      if (source !== undefined) {
        const isXml = readXml(source, (path, value) => writeField(row, prefix + path, value));
        if (!isXml && strict) return;
        if (!isXml) markError(row, `The field "${field}" contains no valid XML.`);
      }
      emit(row);
    }),
});
