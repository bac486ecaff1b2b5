import { hashing } from '../hashing.ts';
import { type IpAddress, ipAddressBytes } from './ip-address.ts';

/** Packets between two endpoints. For ICMP, the ports are the message type and code. */
export interface NetworkFlow {
  /** Protocol number. */
  readonly protocol: number;
  readonly source: IpAddress;
  readonly destination: IpAddress;
  readonly sourcePort: number | undefined;
  readonly destinationPort: number | undefined;
}

export const ICMP = 1;
export const ICMPV6 = 58;
const WITH_PORTS: ReadonlySet<number> = new Set([6, 17, 132]);

/** ICMP requests and their replies: both directions are one flow. */
const ICMP_ANSWERS: ReadonlyMap<number, number> = bothWays([8, 0], [13, 14], [15, 16], [17, 18], [10, 9]);
const ICMPV6_ANSWERS: ReadonlyMap<number, number> = bothWays(
  [128, 129],
  [133, 134],
  [135, 136],
  [130, 131],
  [144, 145],
  [139, 140],
);

function bothWays(...pairs: readonly (readonly [number, number])[]): ReadonlyMap<number, number> {
  return new Map(pairs.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]));
}

/**
 * The Community ID (version 1) of a flow, the same in both directions.
 *
 * @returns `undefined` if one address is IPv4 and the other IPv6, or an ICMP message has no type.
 */
export function communityIdOf(flow: NetworkFlow, seed: number): string | undefined {
  if (typeof flow.source !== typeof flow.destination) return undefined;
  const ports = portsOf(flow);
  if (ports === undefined) return undefined;
  let source = Buffer.from(ipAddressBytes(flow.source));
  let destination = Buffer.from(ipAddressBytes(flow.destination));
  let [sourcePort, destinationPort] = ports.numbers;
  const order = Buffer.compare(source, destination) || (sourcePort ?? 0) - (destinationPort ?? 0);
  if (order > 0 && !ports.isOneWay) {
    [source, destination] = [destination, source];
    [sourcePort, destinationPort] = [destinationPort, sourcePort];
  }
  const hash = hashing().createHash('sha1').update(uint16(seed)).update(source).update(destination);
  hash.update(Uint8Array.of(flow.protocol, 0));
  for (const port of [sourcePort, destinationPort]) if (port !== undefined) hash.update(uint16(port));
  return `1:${hash.digest('base64')}`;
}

type Ports = { numbers: readonly [source?: number, destination?: number]; isOneWay: boolean };

function portsOf({ protocol, sourcePort, destinationPort }: NetworkFlow): Ports | undefined {
  if (protocol === ICMP || protocol === ICMPV6) {
    if (sourcePort === undefined) return undefined;
    const answer = (protocol === ICMP ? ICMP_ANSWERS : ICMPV6_ANSWERS).get(sourcePort);
    return { numbers: [sourcePort, answer ?? destinationPort ?? 0], isOneWay: answer === undefined };
  }
  if (!WITH_PORTS.has(protocol)) return { numbers: [], isOneWay: false };
  if (sourcePort === undefined || destinationPort === undefined) return { numbers: [], isOneWay: false };
  return { numbers: [sourcePort, destinationPort], isOneWay: false };
}

function uint16(number: number): Uint8Array {
  return Uint8Array.of(number >>> 8, number & 255);
}
