import { readField } from '../event.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineValue, optional } from '../signature/function-spec.ts';

/** How many bytes the values of all fields have, their names not counted. */
export const eventSize = defineValue({
  name: 'eventSize',
  output: '_eventSize',
  partial: ['The size is the total number of UTF-8 bytes in the values, not the stored size.'],
  parameters: { as: optional(fieldName) },
  compile: () => (row) => {
    let bytes = 0;
    for (const name in row) bytes += Buffer.byteLength(readField(row, name) ?? '', 'utf8');
    return bytes;
  },
});
