import { readIpAddress } from '../addresses/ip-address.ts';
import { readSubnet, SubnetMap } from '../addresses/subnet.ts';
import { readField } from '../event.ts';
import { fieldName, flag, listOf, text } from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import { defineFilter, optional, required, withDefault } from '../signature/function-spec.ts';
import { fileColumn } from '../signature/library-access.ts';

/** Keeps events whose field holds an IP address in one of the subnets, which are listed or in a lookup file. */
export const cidr = defineFilter({
  name: 'cidr',
  uncertain: [
    '"127.0/16" is short for "127.0.0.0/16".',
    'Bits after the prefix are ignored: "10.1.2.3/8" equals "10.0.0.0/8".',
    'An IPv4-mapped IPv6 address ("::ffff:10.0.0.1") counts as the IPv4 address.',
    'Cells in the file that are not subnets are skipped.',
  ],
  parameters: {
    field: required(fieldName, { unnamed: true }),
    subnet: optional(listOf(text, 'strings')),
    file: optional(text),
    column: optional(text),
    // The old way to write !cidr(…).
    negate: withDefault(flag, false),
  },
  compile({ field, subnet, file, column, negate }, call) {
    const subnets = new SubnetMap<true>();
    if (subnet !== undefined) addSubnets(subnets, subnet, call);
    if (file !== undefined) addFile(subnets, { file, column }, call);
    else if (column !== undefined) call.fail('"column" requires "file"', 'column');
    else if (subnet === undefined) call.fail('cidr() needs "subnet", or "file" and "column"');
    return {
      test(row) {
        const value = readField(row, field);
        const address = value === undefined ? undefined : readIpAddress(value);
        return (address !== undefined && subnets.find(address) === true) !== negate;
      },
    };
  },
});

function addSubnets(subnets: SubnetMap<true>, texts: readonly string[], call: CallSite): void {
  for (const text of texts) {
    const subnet = readSubnet(text);
    if (subnet === undefined) {
      call.fail(`${JSON.stringify(text)} is not a subnet such as "10.0.0.0/8" or "fd00::/8"`, 'subnet');
    }
    subnets.set(subnet, true);
  }
}

function addFile(
  subnets: SubnetMap<true>,
  { file, column }: { file: string; column: string | undefined },
  call: CallSite,
): void {
  if (column === undefined) call.fail('cidr() needs "column": the column of the file', 'file');
  for (const cell of fileColumn(call, file, column)) {
    const subnet = readSubnet(cell.trim());
    if (subnet !== undefined) subnets.set(subnet, true);
  }
}
