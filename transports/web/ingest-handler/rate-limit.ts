import { isIPv6 } from 'node:net';
import { MINUTE_MS } from '../../../src/core/epoch.ts';

/** Maximum number of keys to remember. The one that was used least recently is forgotten. */
const MAX_KEYS = 10_000;

/** Limits requests per minute and key: a token bucket with the capacity of one minute. Rejected requests do not count. */
export class RateLimit {
  readonly #intervalMs: number;
  /** When the bucket of each key is full again, in milliseconds; least recently used first. */
  readonly #fullAt = new Map<string, number>();

  constructor(perMinute: number) {
    this.#intervalMs = MINUTE_MS / perMinute;
  }

  /** Counts a request. @returns 0 if it is allowed, or else the time until the next one is, in milliseconds. */
  take(key: string, nowMs: number): number {
    const fullAt = Math.max(this.#fullAt.get(key) ?? 0, nowMs) + this.#intervalMs;
    const waitMs = fullAt - nowMs - MINUTE_MS;
    // Less than a millisecond can be a rounding error.
    if (waitMs >= 1) return waitMs;
    this.#fullAt.delete(key);
    this.#fullAt.set(key, fullAt);
    if (this.#fullAt.size > MAX_KEYS) this.#fullAt.delete(this.#fullAt.keys().next().value!);
    return 0;
  }
}

/** An address with a port, or an IPv6 address in brackets, as some proxies write them. */
const WITH_PORT = /^\[(.+)\](?::\d+)?$|^([^:]+):\d+$/;

/** The key of a client: its IPv4 address, or the network of an IPv6 address, because a client has all addresses of it. */
export function clientKey(given: string): string {
  const [, inBrackets, beforePort] = WITH_PORT.exec(given) ?? [];
  const address = inBrackets ?? beforePort ?? given;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address.slice(0, 100);
  const [start = '', end] = address.split('::');
  const groups = start.split(':').filter((group) => group !== '');
  const missing = end === undefined ? 0 : 8 - groups.length - end.split(':').length;
  const network = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(end ?? '').split(':')];
  return network
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16))
    .join(':');
}
