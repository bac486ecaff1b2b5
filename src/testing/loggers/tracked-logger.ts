import { flush } from '../../../transports/pino/index.ts';
import { streamsOf } from '../../../transports/pino/logger-streams.ts';
import { LogOptionsException } from '../../core/errors.ts';
import type { Drop, IngesterStats } from '../../index.ts';
import type { DropCounts } from './capture-delivery.ts';
import { isPinoLogger } from './pino-capture.ts';
import { isWinstonLogger } from './winston-capture.ts';

/** A logger that ships its records itself. */
export interface TrackedLogger {
  /** Resolves when all records logged before the call are delivered. */
  readonly flush: () => Promise<unknown>;
  /** Records dropped since tracking started. */
  readonly dropped: () => DropCounts;
  readonly stop: () => void;
}

/** An `Ingester`, a `LogTransport`, or a stream of `logclient/pino`. */
interface Shipper {
  flush(callback?: () => void): unknown;
  readonly stats?: IngesterStats;
  on?(event: 'drop', listener: (drop: Drop) => void): unknown;
  off?(event: 'drop', listener: (drop: Drop) => void): unknown;
}

/** @throws LogOptionsException for a value that can't be flushed */
export function trackLogger(logger: object): TrackedLogger {
  if (isWinstonLogger(logger)) {
    const transports: readonly object[] = logger.transports;
    const flushable = transports.filter(isShipper);
    return tracked(flushable, () => Promise.all(flushable.map((transport) => transport.flush())));
  }
  if (isPinoLogger(logger) || isStream(logger)) {
    return tracked(streamsOf('track', logger) as object[] as Shipper[], () => flush(logger));
  }
  if (isShipper(logger)) return tracked([logger], async () => logger.flush());
  throw new LogOptionsException(
    'track expects a pino or winston logger, the stream that pino.transport() returns, a LogTransport or an Ingester.',
  );
}

function tracked(shippers: readonly Shipper[], flush: () => Promise<unknown>): TrackedLogger {
  const counts: Partial<Record<Drop['reason'], number>> = {};
  const add = ({ reason, records }: Drop): void => {
    counts[reason] = (counts[reason] ?? 0) + records;
  };
  for (const shipper of shippers) shipper.on?.('drop', add);
  return {
    flush,
    // An ingester has counters, but emits no events.
    dropped: () => shippers.find(({ on }) => on === undefined)?.stats?.dropped ?? counts,
    stop: () => {
      for (const shipper of shippers) shipper.off?.('drop', add);
    },
  };
}

function isShipper(value: object): value is Shipper {
  return typeof (value as Partial<Shipper>).flush === 'function';
}

/** A pino destination, whose `flush` has a callback. */
function isStream(value: object): boolean {
  return 'write' in value && 'end' in value && !('log' in value);
}
