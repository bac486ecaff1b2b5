import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeGeohash, encodeGeohash } from '../../src/engine/addresses/geohash.ts';
import { ipAddressBytes, readIpAddress } from '../../src/engine/addresses/ip-address.ts';
import { readSubnet, SubnetMap } from '../../src/engine/addresses/subnet.ts';
import { cases } from '../helpers/laws.ts';
import { rowsOf } from './run-query.ts';

const octet = fc.nat(255);
const ipv4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'));
const dotted = fc.array(fc.oneof(octet.map(String), fc.constantFrom('', '00', '256', '01', 'a', '-1')), {
  maxLength: 6,
});

describe('IP addresses', () => {
  test('readIpAddress() accepts exactly what net.isIP() accepts', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.ipV4(),
          fc.ipV6(),
          dotted.map((parts) => parts.join('.')),
          fc.string(),
        ),
        (text) => {
          expect(readIpAddress(text) !== undefined).toBe(isIP(text) !== 0);
        },
      ),
      cases(),
    );
  });

  test('ipAddressBytes() restores the text of an IPv4 address', () => {
    fc.assert(
      fc.property(ipv4, (text) => {
        expect(ipAddressBytes(readIpAddress(text)!).join('.')).toBe(text);
      }),
      cases(),
    );
  });

  test.each([
    '',
    '1',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.4 ',
    '+1.2.3.4',
    '1..3.4',
    '.1.2.3',
    '1.2.3.',
    '::g',
    ':',
    '1:2',
    `${'1'.repeat(200)}::`,
  ])('%j is not an address', (text) => {
    expect(readIpAddress(text)).toBeUndefined();
  });
});

describe('Subnets', () => {
  test.each([
    '',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '300/8',
    '10.',
    'x/8',
    '::ffff:10.0.0.0/90',
  ])('%j is not a subnet', (text) => {
    expect(readSubnet(text)).toBeUndefined();
  });

  /** Whether two addresses of the same length have the same prefix. */
  function isWithin(address: readonly number[], net: readonly number[], prefixLength: number): boolean {
    const bitsOf = (bytes: readonly number[]): string =>
      bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
    return (
      address.length === net.length &&
      bitsOf(address).slice(0, prefixLength) === bitsOf(net).slice(0, prefixLength)
    );
  }

  test('SubnetMap finds the smallest subnet that contains an address', () => {
    // Few different addresses, to get matches.
    const byte = fc.constantFrom(0, 1, 128, 255);
    const v4 = fc.tuple(byte, byte, byte, byte).map((octets) => octets.join('.'));
    const v6 = fc
      .array(byte, { minLength: 8, maxLength: 8 })
      .map((parts) => parts.map((part) => part.toString(16)).join(':'));
    const nets = fc.array(fc.oneof(fc.tuple(v4, fc.nat(32)), fc.tuple(v6, fc.nat(128))), { maxLength: 12 });
    fc.assert(
      fc.property(nets, fc.oneof(v4, v6), (texts, text) => {
        const address = readIpAddress(text)!;
        const map = new SubnetMap<number>();
        let longest = -1;
        for (const [net, prefixLength] of texts) {
          const subnet = readSubnet(`${net}/${prefixLength}`)!;
          map.set(subnet, prefixLength);
          const holds = isWithin(ipAddressBytes(address), ipAddressBytes(subnet.address), prefixLength);
          if (holds) longest = Math.max(longest, prefixLength);
        }
        expect(map.find(address) ?? -1).toBe(longest);
      }),
      cases(),
    );
  });
});

test('a geohash represents a cell that contains the point', () => {
  const latitude = fc.double({ min: -90, max: 90, noNaN: true });
  const longitude = fc.double({ min: -180, max: 180, noNaN: true });
  fc.assert(
    fc.property(latitude, longitude, fc.integer({ min: 1, max: 12 }), (lat, lon, length) => {
      const hash = encodeGeohash({ latitude: lat, longitude: lon }, length)!;
      const center = decodeGeohash(hash);
      const bits = length * 5;
      expect(hash).toHaveLength(length);
      expect(Math.abs(center.longitude - lon)).toBeLessThanOrEqual(180 / 2 ** Math.ceil(bits / 2));
      expect(Math.abs(center.latitude - lat)).toBeLessThanOrEqual(90 / 2 ** Math.floor(bits / 2));
      expect(encodeGeohash(center, length)).toBe(hash);
    }),
    cases(),
  );
});

test.each([
  [128, 129],
  [130, 131],
  [133, 134],
  [135, 136],
  [139, 140],
  [144, 145],
])('communityId() is the same for ICMPv6 type %d and its reply %d', (type, reply) => {
  const query =
    'communityId(proto=p, sourceip=a, destinationip=b, icmptype=t, icmpcode=c, as=id) | groupBy(id)';
  const [a, b] = ['fe80::1', 'fe80::2'];
  const rows = rowsOf(query, [
    { p: '58', a, b, t: String(type), c: '0' },
    { p: '58', a: b, b: a, t: String(reply), c: '0' },
  ]);
  expect(rows).toEqual([{ id: expect.stringMatching(/^1:/), _count: '2' }]);
});
