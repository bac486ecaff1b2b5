const MARK = Symbol.for('logclient.transport');

/**
 * Marks a transport of this package, for all copies of it: `logclient/auto` leaves its logger alone.
 *
 * @param addresses the origins that it delivers to, as far as they are known
 */
export function markTransport(transport: object, ...addresses: readonly string[]): void {
  Object.defineProperty(transport, MARK, { value: addresses, configurable: true });
}

export function isMarked(transport: object): boolean {
  return MARK in transport;
}

/** The known addresses of a transport. */
export function addressesOf(transport: object): readonly string[] {
  return [Object(transport)[MARK] ?? []].flat();
}
