import ipaddr from 'ipaddr.js';

/** An IPv4 address as its 32 bits, or the eight parts of an IPv6 address. */
export type IpAddress = number | readonly number[];

const DOT = 46;
const ZERO = 48;
const COLON = ':';
/** The longest way to write an address, with a zone of a generous length. */
const MAX_LENGTH = 100;

/**
 * Reads an address. An IPv4 address within an IPv6 one (`::ffff:10.0.0.1`) is that IPv4 address.
 *
 * @returns `undefined` when it is none: a name, an address with a port, `10.1` or `010.0.0.1`.
 */
export function readIpAddress(text: string): IpAddress | undefined {
  return text.includes(COLON) ? readIpv6(text) : readIpv4(text);
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
      // Some programs read a leading zero as octal: such an address is refused rather than misread.
      if (digit < 0 || digit > 9 || octet === 0) return undefined;
      octet = octet === -1 ? digit : octet * 10 + digit;
      if (octet > 255) return undefined;
    }
  }
  return octets === 4 && octet !== -1 ? bits * 256 + octet : undefined;
}

function readIpv6(text: string): IpAddress | undefined {
  const parts = text.length > MAX_LENGTH ? undefined : readParts(text);
  if (parts === undefined) return undefined;
  const isIpv4 = parts[5] === 0xffff && parts.slice(0, 5).every((part) => part === 0);
  return isIpv4 ? parts[6]! * 0x10000 + parts[7]! : parts;
}

function readParts(text: string): readonly number[] | undefined {
  // To ask first whether it is an address would take as long as to read it.
  try {
    return ipaddr.IPv6.parse(text).parts;
  } catch {
    return undefined;
  }
}

/** Writes the bits of an IPv4 address as `10.0.0.1`. */
export function writeIpv4(bits: number): string {
  return `${bits >>> 24}.${(bits >>> 16) & 255}.${(bits >>> 8) & 255}.${bits & 255}`;
}

/** The bytes of an address, in network order. */
export function ipAddressBytes(address: IpAddress): readonly number[] {
  if (typeof address === 'number') {
    return [address >>> 24, (address >>> 16) & 255, (address >>> 8) & 255, address & 255];
  }
  return address.flatMap((part) => [part >>> 8, part & 255]);
}
