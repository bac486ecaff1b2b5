import { readField, writeField } from '../event.ts';
import { withColumns } from '../operators/operator.ts';
import { editStep } from '../operators/row-code.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineTransform, optional, withDefault } from '../signature/function-spec.ts';
import { referenceDataOf } from '../signature/library-access.ts';

/** Adds the network that an IP address belongs to: its number in `ip.asn`, its organization in `ip.org`. */
export const asn = defineTransform({
  name: 'asn',
  partial: ["Results come from the server's IP database file. Without this file, there are no results."],
  parameters: {
    field: withDefault(fieldName, 'ip', { unnamed: true }),
    as: optional(fieldName),
  },
  compile({ field, as = field }, call) {
    const data = referenceDataOf(call);
    const names = [`${as}.asn`, `${as}.org`] as const;
    return editStep(
      (row) => {
        const address = readField(row, field);
        const found = address === undefined ? undefined : data.autonomousSystem(address);
        if (found?.number !== undefined) writeField(row, names[0], String(found.number));
        if (found?.organization !== undefined) writeField(row, names[1], found.organization);
      },
      (before) => withColumns(before, names),
    );
  },
});
