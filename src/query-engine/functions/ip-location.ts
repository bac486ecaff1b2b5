import { readField, writeField } from '../event.ts';
import { withColumns } from '../operators/operator.ts';
import { editStep } from '../operators/row-code.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineTransform, optional, withDefault } from '../signature/function-spec.ts';
import { referenceDataOf } from '../signature/library-access.ts';
import { formatNumber } from '../value.ts';

/** Adds where an IP address is: `ip.country`, `ip.city`, `ip.state`, `ip.lat`, `ip.lon`. */
export const ipLocation = defineTransform({
  name: 'ipLocation',
  partial: ["Results come from the server's IP database file. Without this file, there are no results."],
  uncertain: ['Country and state are codes, such as "US" and "CA".'],
  parameters: {
    field: withDefault(fieldName, 'ip', { unnamed: true }),
    as: optional(fieldName),
  },
  compile({ field, as = field }, call) {
    const data = referenceDataOf(call);
    const names = ['country', 'city', 'state', 'lat', 'lon'].map((part) => `${as}.${part}`);
    return editStep(
      (row) => {
        const address = readField(row, field);
        const found = address === undefined ? undefined : data.location(address);
        if (found === undefined) return;
        const { country, city, state, latitude, longitude } = found;
        const values = [country, city, state, latitude, longitude];
        for (const [index, value] of values.entries()) {
          if (value === undefined) continue;
          writeField(row, names[index]!, typeof value === 'number' ? formatNumber(value) : value);
        }
      },
      (before) => withColumns(before, names),
    );
  },
});
