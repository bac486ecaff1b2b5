import { communityIdOf, ICMP, ICMPV6 } from '../addresses/community-id.ts';
import {
  encodeGeohash,
  type GeoPoint,
  geohashLength,
  MAX_GEOHASH_LENGTH,
  readPoint,
} from '../addresses/geohash.ts';
import { ipAddressBytes, readIpAddress } from '../addresses/ip-address.ts';
import { maskIpv4, readSubnet, SubnetMap } from '../addresses/subnet.ts';
import { converted } from '../columns/expression.ts';
import { fieldFilter } from '../columns/predicate.ts';
import { type Fields, readField, writeField } from '../event.ts';
import { fieldStep, rowStep } from '../operators/row-code.ts';
import { CONFIDENCES, INDICATOR_TYPES, PENDING } from '../reference-data.ts';
import {
  type ArgumentType,
  fieldName,
  fieldNames,
  flag,
  integer,
  integerWithin,
  listOf,
  text,
  textType,
} from '../signature/argument-types.ts';
import { fileColumn, referenceLookup } from '../signature/call-site.ts';
import {
  define,
  type FunctionSpec,
  optional,
  required,
  unnamed,
  withDefault,
} from '../signature/function-spec.ts';
import { toText, type Value } from '../value.ts';

/** Adds the autonomous system of an IP address: `ip.asn` and `ip.org`. */
export const asn = defineAddressData('asn', 'autonomousSystem', { asn: 'number', org: 'organization' });

/** Adds the location of an IP address: `ip.country`, `ip.city`, `ip.state`, `ip.lat`, `ip.lon`. */
export const ipLocation = defineAddressData(
  'ipLocation',
  'location',
  { country: 'country', city: 'city', state: 'state', lat: 'latitude', lon: 'longitude' },
  ['Country and state are codes, such as "US" and "CA".'],
);

/** @param parts members of what is known of an address, by the ends of the names of their fields */
function defineAddressData(
  name: string,
  kind: 'location' | 'autonomousSystem',
  parts: Readonly<Record<string, string>>,
  uncertain: readonly string[] = [],
): FunctionSpec {
  return define.transform({
    name,
    partial: ["Results come from the server's IP database file. Without this file, there are no results."],
    uncertain,
    parameters: {
      field: withDefault(fieldName, 'ip', { unnamed: true }),
      as: optional(fieldName),
    },
    compile({ field, as = field }, call) {
      const find = referenceLookup(call, name, kind);
      const names = Object.keys(parts).map((part) => `${as}.${part}`);
      return fieldStep(field, names, (address, row, run) => {
        const known: Readonly<Record<string, Value>> = { ...find(run)(address) };
        for (const [index, member] of Object.values(parts).entries()) {
          const value = toText(known[member]);
          if (value !== undefined) writeField(row, names[index]!, value);
        }
      });
    },
  });
}

/** The host name of an IP address by reverse DNS; no result if there is none. */
export const reverseDns = define.value({
  name: 'reverseDns',
  output: '_hostname',
  partial: [
    'Lookups are off unless the server allows them.',
    'Lookups run in the background: a query with new addresses returns a warning and finds their names when you run it again.',
    'The server uses the DNS servers of its machine; `server` and `limit` have no effect.',
  ],
  parameters: {
    field: unnamed(fieldName),
    server: optional(text),
    limit: optional(integer({ min: 1, max: 1_000_000 })),
  },
  compile({ field }, call) {
    const find = referenceLookup(call, 'reverseDns', 'hostName');
    return (row, run) => {
      const address = readField(row, field);
      const name = address === undefined ? undefined : find(run)(address);
      if (name !== PENDING) return name;
      run.warn('reverseDns() is still waiting for names of addresses: run the query again to see them.');
      return undefined;
    };
  },
});

/** Keeps events whose field is an IP address in one of the subnets, which are arguments or in a lookup file. */
export const cidr = define.filter({
  name: 'cidr',
  uncertain: [
    '"127.0/16" is short for "127.0.0.0/16".',
    'Bits after the prefix are ignored: "10.1.2.3/8" equals "10.0.0.0/8".',
    'An IPv4-mapped IPv6 address ("::ffff:10.0.0.1") counts as the IPv4 address.',
    'Cells in the file that are not subnets are skipped.',
  ],
  parameters: {
    field: unnamed(fieldName),
    subnet: optional(listOf(text)),
    file: optional(text),
    column: optional(text),
    // Deprecated form of !cidr(…).
    negate: withDefault(flag, false),
  },
  compile({ field, subnet, file, column, negate }, call) {
    if (file !== undefined && column === undefined)
      call.fail('cidr() needs "column": the column of the file', 'file');
    if (file === undefined && column !== undefined) call.fail('"column" requires "file"', 'column');
    if (file === undefined && subnet === undefined)
      call.fail('cidr() needs "subnet", or "file" and "column"');
    const subnets = new SubnetMap<true>();
    for (const text of subnet ?? []) {
      const problem = `${JSON.stringify(text)} is not a subnet such as "10.0.0.0/8" or "fd00::/8"`;
      subnets.set(readSubnet(text) ?? call.fail(problem, 'subnet'), true);
    }
    for (const cell of file === undefined ? [] : fileColumn(call, file, column!)) {
      const found = readSubnet(cell.trim());
      if (found !== undefined) subnets.set(found, true);
    }
    const isInside = (value: string | undefined): boolean => {
      const address = value === undefined ? undefined : readIpAddress(value);
      return address !== undefined && subnets.find(address) === true;
    };
    return { test: fieldFilter(field, (value) => isInside(value) !== negate) };
  },
});

/** The subnet of an IPv4 address, such as 10.0.14.0/23; no result for other values. */
export const subnet = define.value({
  name: 'subnet',
  parameters: {
    field: unnamed(fieldName),
    bits: required(integer({ min: 0, max: 32 })),
  },
  compile: ({ field, bits }) =>
    converted(field, (value) => {
      const address = readIpAddress(value);
      if (typeof address !== 'number') return undefined;
      return `${ipAddressBytes(maskIpv4(address, bits)).join('.')}/${bits}`;
    }),
});

const PROTOCOLS: ReadonlyMap<string, number> = new Map([
  ['icmp', ICMP],
  ['tcp', 6],
  ['udp', 17],
  ['icmp6', ICMPV6],
  ['icmpv6', ICMPV6],
  ['ipv6-icmp', ICMPV6],
  ['sctp', 132],
]);

/** The Community ID of a network flow. Empty if an address or the protocol is missing. */
export const communityId = define.value({
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
  },
  compile(args) {
    const { proto, sourceip, destinationip, sourceport, destinationport, seed } = args;
    const { icmptype = sourceport, icmpcode = destinationport } = args;
    return (row) => {
      const name = readField(row, proto) ?? '';
      const protocol = PROTOCOLS.get(name.toLowerCase()) ?? integerWithin(name, 0, 255);
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

/** `undefined` without the field, `NaN` if the value is not a port. */
function readPort(row: Fields, name: string | undefined): number | undefined {
  const value = name === undefined ? undefined : readField(row, name);
  return value === undefined ? undefined : (integerWithin(value, 0, 65_535) ?? Number.NaN);
}

/** Marks events in which a field is an indicator of compromise, and adds details about it. */
export const iocLookup = define.transform({
  name: 'ioc:lookup',
  partial: ["Results come from the server's indicator file. Without this file, there are no results."],
  uncertain: [
    'Domains are compared case-insensitively; addresses and URLs are compared as strings.',
    '`include` lists the members to add; `ioc.detected` is always added.',
  ],
  parameters: {
    field: unnamed(fieldNames),
    type: required(word(INDICATOR_TYPES)),
    confidenceThreshold: withDefault(word(CONFIDENCES), 'high'),
    include: optional(fieldNames),
    prefix: withDefault(text, 'ioc'),
    strict: withDefault(flag, false),
  },
  compile({ field: names, type, confidenceThreshold, include, prefix, strict }, call) {
    const lookup = referenceLookup(call, 'ioc:lookup', 'indicators');
    const threshold = CONFIDENCES.indexOf(confidenceThreshold);
    return rowStep((run, emit) => (row) => {
      const indicators = names.flatMap((name) => {
        const value = readField(row, name);
        const found = value === undefined ? [] : lookup(run)(type, value);
        return found.filter(({ confidence }) => CONFIDENCES.indexOf(confidence) >= threshold);
      });
      if (indicators.length > 0) writeField(row, `${prefix}.detected`, 'true');
      for (const [index, { indicator, type, confidence, details }] of indicators.entries()) {
        const members = { indicator, type, malicious_confidence: confidence, ...details };
        for (const [member, value] of Object.entries(members)) {
          if (include === undefined || include.includes(member))
            writeField(row, `${prefix}[${index}].${member}`, value);
        }
      }
      if (indicators.length > 0 || !strict) emit(row);
    });
  },
});

/** One of several words, ignoring case. */
function word<const T extends string>(words: readonly T[]): ArgumentType<T> {
  return textType(`one of ${words.join(', ')}`, (written) =>
    words.find((each) => each === written.toLowerCase()),
  );
}

/** The geohash of the point in two fields. */
export const geohash = define.value({
  name: 'geohash',
  parameters: {
    lat: withDefault(fieldName, 'ip.lat'),
    lon: withDefault(fieldName, 'ip.lon'),
    precision: withDefault(geohashLength, MAX_GEOHASH_LENGTH),
  },
  compile:
    ({ lat, lon, precision }) =>
    (row) => {
      const point = readPoint(row, lat, lon);
      return point && encodeGeohash(point, precision);
    },
});

const EARTH_RADIUS_M = 6_371_009;

/** The distance between two points in meters, on a sphere with the earth's radius. */
export const geographyDistance = define.value({
  name: 'geography:distance',
  output: '_distance',
  parameters: {
    lat1: required(fieldName),
    lon1: required(fieldName),
    lat2: required(fieldName),
    lon2: required(fieldName),
  },
  compile:
    ({ lat1, lon1, lat2, lon2 }) =>
    (row) => {
      const from = readPoint(row, lat1, lon1);
      const to = readPoint(row, lat2, lon2);
      return from && to && distance(from, to);
    },
});

/** Haversine formula, which is accurate for short distances, too. */
function distance(from: GeoPoint, to: GeoPoint): number {
  const square =
    halfChord(to.latitude - from.latitude) ** 2 +
    Math.cos(radians(from.latitude)) *
      Math.cos(radians(to.latitude)) *
      halfChord(to.longitude - from.longitude) ** 2;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(square)));
}

function halfChord(degrees: number): number {
  return Math.sin(radians(degrees) / 2);
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
