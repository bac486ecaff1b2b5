const MARK = Symbol.for('logclient.transport');

/** Marks a transport of this package, for all copies of it: `logclient/auto` leaves its logger alone. */
export function markTransport(transport: object): void {
  Object.defineProperty(transport, MARK, { value: true });
}

export function isMarked(transport: object): boolean {
  return MARK in transport;
}
