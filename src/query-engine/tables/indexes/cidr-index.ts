import { readIpAddress } from '../../addresses/ip-address.ts';
import { readSubnet, SubnetMap } from '../../addresses/subnet.ts';
import { readField } from '../../event.ts';
import type { LookupTable } from '../../query-library.ts';
import type { KeyOptions, TableIndex } from './index-key.ts';

/** Finds the row with the smallest subnet that contains an address. Ignores cells that are not subnets. */
export function* cidrIndex(
  { rows }: LookupTable,
  { fields, columns }: KeyOptions,
): Generator<void, TableIndex> {
  const [field = ''] = fields;
  const [column = -1] = columns;
  const subnets = new SubnetMap<number>();
  for (let row = 0; row < rows.length; row += 1) {
    const cell = rows[row]![column];
    const subnet = cell === undefined ? undefined : readSubnet(cell);
    if (subnet !== undefined) subnets.set(subnet, row);
    yield;
  }
  const last: TableIndex['last'] = (event) => {
    const value = readField(event, field);
    const address = value === undefined ? undefined : readIpAddress(value);
    return address === undefined ? -1 : (subnets.find(address) ?? -1);
  };
  return {
    last,
    lastOnes(event) {
      const row = last(event);
      return row === -1 ? [] : [row];
    },
  };
}
