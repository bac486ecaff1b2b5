import { readField } from '../event.ts';
import { PENDING } from '../reference-data.ts';
import { fieldName, integer, text } from '../signature/argument-types.ts';
import { defineValue, optional, required } from '../signature/function-spec.ts';
import { referenceDataOf } from '../signature/library-access.ts';

/** The name that an IP address has in the domain name system; nothing when it has none. */
export const reverseDns = defineValue({
  name: 'reverseDns',
  output: '_hostname',
  partial: [
    'Lookups are off unless the server allows them.',
    'Lookups run in the background: a query with new addresses returns a warning and finds their names when you run it again.',
    'The server uses the DNS servers of its machine; `server` and `limit` have no effect.',
  ],
  parameters: {
    field: required(fieldName, { unnamed: true }),
    server: optional(text),
    limit: optional(integer({ min: 1, max: 1_000_000 })),
    as: optional(fieldName),
  },
  compile({ field }, call) {
    const data = referenceDataOf(call);
    return (row, run) => {
      const address = readField(row, field);
      const name = address === undefined ? undefined : data.hostName(address);
      if (name !== PENDING) return name;
      run.warn('reverseDns() is still waiting for names of addresses: run the query again to see them.');
      return undefined;
    };
  },
});
