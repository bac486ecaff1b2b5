/** Writes small databases in the MaxMind DB format, version 2.0, with the types that tests need. */

export type MmdbValue = string | number | readonly MmdbValue[] | { readonly [name: string]: MmdbValue };

type Child =
  | { readonly kind: 'node'; readonly index: number }
  | { readonly kind: 'data'; readonly offset: number };
type Node = [left: Child | undefined, right: Child | undefined];

const SEPARATOR = 16;
const MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');

/** @param networks the entries by IPv4 network, such as `192.0.2.0/24`; they must not overlap. */
export function writeMmdb(databaseType: string, networks: Readonly<Record<string, MmdbValue>>): Buffer {
  const nodes: Node[] = [[undefined, undefined]];
  const data: Buffer[] = [];
  let dataLength = 0;
  for (const [network, value] of Object.entries(networks)) {
    insert(nodes, bitsOf(network), { kind: 'data', offset: dataLength });
    const encoded = encode(value);
    data.push(encoded);
    dataLength += encoded.length;
  }
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    database_type: databaseType,
    description: { en: 'for tests' },
    ip_version: 4,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 32,
  });
  return Buffer.concat([writeTree(nodes), Buffer.alloc(SEPARATOR), ...data, MARKER, metadata]);
}

function bitsOf(network: string): readonly number[] {
  const [address = '', length] = network.split('/');
  const bits = address
    .split('.')
    .flatMap((octet) => [...Number(octet).toString(2).padStart(8, '0')].map(Number));
  return bits.slice(0, Number(length ?? 32));
}

function insert(nodes: Node[], bits: readonly number[], entry: Child): void {
  let node = nodes[0]!;
  for (const bit of bits.slice(0, -1)) {
    let child = node[bit];
    if (child?.kind !== 'node') {
      child = { kind: 'node', index: nodes.push([undefined, undefined]) - 1 };
      node[bit] = child;
    }
    node = nodes[child.index]!;
  }
  node[bits.at(-1)!] = entry;
}

/** A record is a node number, the number of nodes for no entry, or above that an offset in the data. */
function writeTree(nodes: readonly Node[]): Buffer {
  const tree = Buffer.alloc(nodes.length * 8);
  for (const [index, node] of nodes.entries()) {
    for (const [side, child] of node.entries()) {
      const record =
        child === undefined
          ? nodes.length
          : child.kind === 'node'
            ? child.index
            : nodes.length + SEPARATOR + child.offset;
      tree.writeUInt32BE(record, index * 8 + side * 4);
    }
  }
  return tree;
}

function encode(value: MmdbValue): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([head(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'number') return encodeNumber(value);
  if (Array.isArray(value)) return Buffer.concat([head(11, value.length), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([head(7, entries.length), ...entries.flatMap((entry) => entry.map(encode))]);
}

function encodeNumber(value: number): Buffer {
  const isInteger = Number.isInteger(value) && value >= 0;
  const bytes = Buffer.alloc(isInteger ? 4 : 8);
  if (isInteger) bytes.writeUInt32BE(value);
  else bytes.writeDoubleBE(value);
  return Buffer.concat([head(isInteger ? 6 : 3, bytes.length), bytes]);
}

/** Types from 8 on have an additional byte. */
function head(type: number, size: number): Buffer {
  const sizes = size < 29 ? [size] : [29, size - 29];
  return Buffer.from(
    type < 8 ? [(type << 5) | sizes[0]!, ...sizes.slice(1)] : [sizes[0]!, type - 7, ...sizes.slice(1)],
  );
}
