import ipaddr from 'ipaddr.js';
import { DOT, ZERO } from '../../core/ascii.ts';
import { tryOr } from '../../core/try-or.ts';

/** IPv4 as 32 bits, IPv6 as eight 16-bit parts. */
export type IpAddress = number | readonly number[];

/** The longest notation, including a long zone. */
const MAX_LENGTH = 100;

/**
 * Parses an IP address. An IPv4-mapped IPv6 address (`::ffff:10.0.0.1`) becomes IPv4.
 *
 * @returns `undefined` for anything else, such as a host name, an address with a port, `10.1` or `010.0.0.1`.
 */
export function readIpAddress(text: string): IpAddress | undefined {
  return text.includes(':') ? readIpv6(text) : readIpv4(text);
}

function readIpv4(text: string): number | undefined {
  let bits = 0;
  let octet = -1;
  let octets = 1;
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === DOT) {
      if (octet === -1 || octets === 4) return undefined;
      bits = bits * 256 + octet;
      octet = -1;
      octets += 1;
    } else {
      const digit = code - ZERO;
      // Some programs read a leading zero as octal, so such an address is ambiguous.
      if (digit < 0 || digit > 9 || octet === 0) return undefined;
      octet = octet === -1 ? digit : octet * 10 + digit;
      if (octet > 255) return undefined;
    }
  }
  return octets === 4 && octet !== -1 ? bits * 256 + octet : undefined;
}

function readIpv6(text: string): IpAddress | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  // Checking first would cost as much as parsing.
  const parts = tryOr(undefined, () => ipaddr.IPv6.parse(text).parts);
  if (parts === undefined) return undefined;
  const isIpv4 = parts[5] === 0xffff && parts.slice(0, 5).every((part) => part === 0);
  return isIpv4 ? parts[6]! * 0x10000 + parts[7]! : parts;
}

/** The bytes in network order. */
export function ipAddressBytes(address: IpAddress): readonly number[] {
  if (typeof address === 'number') {
    return [address >>> 24, (address >>> 16) & 255, (address >>> 8) & 255, address & 255];
  }
  return address.flatMap((part) => [part >>> 8, part & 255]);
}
