/** Marks the transports of this package, in all its copies. `logclient/auto` leaves their loggers alone. */
export const TRANSPORT_MARK = Symbol.for('logclient.transport');
