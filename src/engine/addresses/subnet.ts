import { type IpAddress, readIpAddress } from './ip-address.ts';

export interface Subnet {
  readonly address: IpAddress;
  readonly prefixLength: number;
}

/**
 * Parses `10.0.0.0/8` or `fd00::/8`. A single address is a subnet of one, `127.0/16` is short for `127.0.0.0/16`, and
 * host bits are ignored: `10.1.2.3/8` is `10.0.0.0/8`.
 */
export function readSubnet(text: string): Subnet | undefined {
  const [, net = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const isShort = length !== undefined && /^\d+(?:\.\d+){0,2}$/.test(net);
  const address = readIpAddress(isShort ? net + '.0'.repeat(4 - net.split('.').length) : net);
  if (address === undefined) return undefined;
  const bits = typeof address === 'number' ? 32 : 128;
  // The prefix of ::ffff:10.0.0.0/104 counts the bits of the IPv6 address.
  const before = bits === 32 && net.includes(':') ? 96 : 0;
  const prefixLength = length === undefined ? bits : Number(length) - before;
  return prefixLength >= 0 && prefixLength <= bits ? { address, prefixLength } : undefined;
}

/** The network address: all host bits zero. */
export function maskIpv4(address: number, prefixLength: number): number {
  return prefixLength === 0 ? 0 : (address & (-1 << (32 - prefixLength))) >>> 0;
}

function maskedIpv6Key(parts: readonly number[], prefixLength: number): string {
  let key = '';
  for (const [index, part] of parts.entries()) {
    const kept = Math.max(0, Math.min(16, prefixLength - index * 16));
    key += String.fromCharCode(part & (0xffff << (16 - kept)) & 0xffff);
  }
  return key;
}

/**
 * A map from subnets to values. A lookup costs one step per distinct prefix length, regardless of the number of
 * subnets.
 */
export class SubnetMap<T> {
  readonly #ipv4 = new PrefixTable<number, number, T>(maskIpv4);
  readonly #ipv6 = new PrefixTable<readonly number[], string, T>(maskedIpv6Key);

  /** Replaces the value of an equal subnet. */
  set({ address, prefixLength }: Subnet, value: T): void {
    if (typeof address === 'number') this.#ipv4.set(address, prefixLength, value);
    else this.#ipv6.set(address, prefixLength, value);
  }

  /** The value of the smallest subnet that contains the address. */
  find(address: IpAddress): T | undefined {
    return typeof address === 'number' ? this.#ipv4.find(address) : this.#ipv6.find(address);
  }
}

class PrefixTable<A, K, T> {
  readonly #mask: (address: A, prefixLength: number) => K;
  /** Longest prefix first. */
  #levels: { readonly prefixLength: number; readonly values: Map<K, T> }[] = [];

  constructor(mask: (address: A, prefixLength: number) => K) {
    this.#mask = mask;
  }

  set(address: A, prefixLength: number, value: T): void {
    let level = this.#levels.find((candidate) => candidate.prefixLength === prefixLength);
    if (level === undefined) {
      level = { prefixLength, values: new Map() };
      this.#levels.push(level);
      this.#levels.sort((a, b) => b.prefixLength - a.prefixLength);
    }
    level.values.set(this.#mask(address, prefixLength), value);
  }

  find(address: A): T | undefined {
    for (const { prefixLength, values } of this.#levels) {
      const value = values.get(this.#mask(address, prefixLength));
      if (value !== undefined) return value;
    }
    return undefined;
  }
}
