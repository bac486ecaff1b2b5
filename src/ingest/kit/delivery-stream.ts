import type { Readable, Writable } from 'node:stream';
import type { EmittedEvents } from '../report/delivery-event.ts';

/** Events of a stream that delivers records. A listener without arguments may be the `resolve` of a promise. */
interface StreamEvents extends EmittedEvents {
  close: [none?: undefined];
  drain: [none?: undefined];
  error: [error: Error];
  finish: [none?: undefined];
  /** From transports of winston only. */
  logged: [info: { readonly [field: string | symbol]: unknown }];
  pipe: [source: Readable];
  unpipe: [source: Readable];
}

/** A stream that delivers records. Listeners of other events do not compile. */
export interface DeliveryStream extends Writable {
  on<Name extends keyof StreamEvents>(event: Name, listener: (...args: StreamEvents[Name]) => void): this;
  once<Name extends keyof StreamEvents>(event: Name, listener: (...args: StreamEvents[Name]) => void): this;
  off<Name extends keyof StreamEvents>(event: Name, listener: (...args: StreamEvents[Name]) => void): this;
}
