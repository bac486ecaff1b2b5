import { readIpAddress, writeIpv4 } from '../addresses/ip-address.ts';
import { maskIpv4 } from '../addresses/subnet.ts';
import { readField } from '../event.ts';
import { fieldName, integer } from '../signature/argument-types.ts';
import { defineValue, optional, required } from '../signature/function-spec.ts';

/** The subnet of an IPv4 address, such as 10.0.14.0/23; nothing for any other value. */
export const subnet = defineValue({
  name: 'subnet',
  output: '_subnet',
  parameters: {
    field: required(fieldName, { unnamed: true }),
    bits: required(integer({ min: 0, max: 32 })),
    as: optional(fieldName),
  },
  compile:
    ({ field, bits }) =>
    (row) => {
      const value = readField(row, field);
      const address = value === undefined ? undefined : readIpAddress(value);
      return typeof address === 'number' ? `${writeIpv4(maskIpv4(address, bits))}/${bits}` : undefined;
    },
});
