import { readField } from '../event.ts';
import { fieldName, number } from '../signature/argument-types.ts';
import { defineFilter, withDefault } from '../signature/function-spec.ts';
import { hashText } from '../text/text-hash.ts';

/** Keeps about so many percent of the events, the same ones each time. */
export const sample = defineFilter({
  name: 'sample',
  uncertain: [
    'Events are chosen by a hash of the field, so events with the same value are kept or dropped together.',
  ],
  parameters: {
    percentage: withDefault(number, 1, { unnamed: true }),
    field: withDefault(fieldName, '@timestamp'),
  },
  compile({ percentage, field }, call) {
    if (percentage < 0 || percentage > 100)
      call.fail('The percentage must be between 0 and 100', 'percentage');
    const bound = (percentage / 100) * 2 ** 32;
    return {
      test(row) {
        const value = readField(row, field);
        return value !== undefined && hashText(value) < bound;
      },
    };
  },
});
