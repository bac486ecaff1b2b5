import { flush } from '../../../transports/pino/index.ts';
import { LogOptionsException } from '../../errors.ts';
import { isPinoLogger } from './pino-capture.ts';
import { isWinstonLogger } from './winston-capture.ts';

/** Something that ships records by itself: an `Ingester`, a `LogTransport`, a stream of `logclient/pino`. */
export interface Flushable {
  flush(callback?: () => void): unknown;
}

/**
 * How to make sure that what a logger or a transport was given has arrived.
 *
 * @throws LogOptionsException for what can't be flushed.
 */
export function flusherOf(shipper: object): () => Promise<unknown> {
  if (isWinstonLogger(shipper)) {
    const transports: readonly object[] = shipper.transports;
    return () => Promise.all(transports.filter(isFlushable).map((transport) => transport.flush()));
  }
  if (isPinoLogger(shipper) || isStream(shipper)) return () => flush(shipper);
  if (isFlushable(shipper)) return async () => shipper.flush();
  throw new LogOptionsException(
    'track expects a pino or winston logger, the stream that pino.transport() returns, a LogTransport or an Ingester.',
  );
}

function isFlushable(value: object): value is Flushable {
  return typeof (value as Partial<Flushable>).flush === 'function';
}

/** A stream behind a pino logger; it tells by a callback that it is flushed. */
function isStream(value: object): boolean {
  return 'write' in value && 'end' in value && !('log' in value);
}
