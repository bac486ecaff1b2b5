import { communityIdOf, ICMP, ICMPV6 } from '../addresses/community-id.ts';
import { readIpAddress } from '../addresses/ip-address.ts';
import { type Fields, readField } from '../event.ts';
import { fieldName, integer } from '../signature/argument-types.ts';
import { defineValue, optional, required, withDefault } from '../signature/function-spec.ts';
import { parseNumber } from '../value.ts';

const PROTOCOLS: ReadonlyMap<string, number> = new Map([
  ['icmp', ICMP],
  ['tcp', 6],
  ['udp', 17],
  ['icmp6', ICMPV6],
  ['icmpv6', ICMPV6],
  ['ipv6-icmp', ICMPV6],
  ['sctp', 132],
]);

/** The Community ID of a network flow, as other tools compute it. Empty if an address or the protocol is missing. */
export const communityId = defineValue({
  name: 'communityId',
  output: '_community_id',
  uncertain: [
    'The protocol is a number or one of the names tcp, udp, sctp, icmp and icmp6.',
    'Without `icmptype` and `icmpcode`, the ports hold the ICMP type and code.',
  ],
  parameters: {
    proto: required(fieldName),
    sourceip: required(fieldName),
    destinationip: required(fieldName),
    sourceport: optional(fieldName),
    destinationport: optional(fieldName),
    icmptype: optional(fieldName),
    icmpcode: optional(fieldName),
    seed: withDefault(integer({ min: 0, max: 65_535 }), 0),
    as: optional(fieldName),
  },
  compile(args) {
    const { proto, sourceip, destinationip, sourceport, destinationport, seed } = args;
    const { icmptype = sourceport, icmpcode = destinationport } = args;
    return (row) => {
      const protocol = readProtocol(readField(row, proto));
      const source = readIpAddress(readField(row, sourceip) ?? '');
      const destination = readIpAddress(readField(row, destinationip) ?? '');
      if (protocol === undefined || source === undefined || destination === undefined) return '';
      const isIcmp = protocol === ICMP || protocol === ICMPV6;
      const sourcePort = readPort(row, isIcmp ? icmptype : sourceport);
      const destinationPort = readPort(row, isIcmp ? icmpcode : destinationport);
      if (Number.isNaN(sourcePort) || Number.isNaN(destinationPort)) return '';
      return communityIdOf({ protocol, source, destination, sourcePort, destinationPort }, seed) ?? '';
    };
  },
});

function readProtocol(text = ''): number | undefined {
  return PROTOCOLS.get(text.toLowerCase()) ?? integerUpTo(text, 255);
}

/** `undefined` without the field, `NaN` for a value that is not a port. */
function readPort(row: Fields, name: string | undefined): number | undefined {
  const value = name === undefined ? undefined : readField(row, name);
  return value === undefined ? undefined : (integerUpTo(value, 65_535) ?? Number.NaN);
}

function integerUpTo(text: string, max: number): number | undefined {
  const number = parseNumber(text);
  return number !== undefined && Number.isInteger(number) && number >= 0 && number <= max
    ? number
    : undefined;
}
