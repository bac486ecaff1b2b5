import { readField, writeField } from '../event.ts';
import { readCef } from '../formats/cef.ts';
import { applyLabels } from '../formats/extension-pairs.ts';
import { markError } from '../formats/parse-error.ts';
import { editStep } from '../operators/row-code.ts';
import { fieldName, flag, text } from '../signature/argument-types.ts';
import { defineTransform, withDefault } from '../signature/function-spec.ts';

const HEADER_NAMES = [
  'version',
  'device.vendor',
  'device.product',
  'device.version',
  'event_class_id',
  'name',
  'severity',
] as const;

/** Makes fields of a message in the Common Event Format. Other text leaves the event as it is, with `@error` set. */
export const parseCEF = defineTransform({
  name: 'parseCEF',
  uncertain: [
    'A label is a member whose name ends in "Label". With `keeplabels=false`, neither the label nor its value is kept as a member.',
  ],
  parameters: {
    field: withDefault(fieldName, '@rawstring', { unnamed: true }),
    headerprefix: withDefault(text, 'cef.'),
    prefix: withDefault(text, 'cef.ext.'),
    labelprefix: withDefault(text, 'cef.label.'),
    keeplabels: withDefault(flag, false),
  },
  compile({ field, headerprefix, prefix, labelprefix, keeplabels }) {
    return editStep((row) => {
      const source = readField(row, field);
      if (source === undefined) return;
      const message = readCef(source);
      if (message === undefined) return markError(row, `The field "${field}" contains no valid CEF.`);
      for (const [index, name] of HEADER_NAMES.entries()) {
        writeField(row, headerprefix + name, message.header[index]!);
      }
      const { members, labeled } = applyLabels(message.extension, keeplabels);
      for (const [name, value] of members) writeField(row, prefix + name, value);
      for (const [label, value] of labeled) writeField(row, labelprefix + label, value);
    });
  },
});
