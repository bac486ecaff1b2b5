import { flush } from '../../../transports/pino/index.ts';
import { STREAM_SYMBOL, streamsOf, symbolOf } from '../../../transports/pino/logger-streams.ts';
import { LogOptionsException } from '../../core/errors.ts';
import type { Drop, IngesterStats, Warning } from '../../index.ts';
import { DeliveryTrouble, type TestedLogger } from './capture-delivery.ts';
import { followChildren, isPinoLogger, messageKeyOf, type PinoLogger, pinoLevels } from './pino-capture.ts';
import { detachment, isWinstonLogger, winstonLevels } from './winston-capture.ts';

/** An `Ingester`, a `LogTransport`, or a stream of `logclient/pino`. */
interface Shipper {
  flush(callback?: () => void): unknown;
  readonly stats?: IngesterStats;
  readonly level?: string | undefined;
  readonly silent?: boolean | undefined;
  on?(event: string, listener: (value: never) => void): unknown;
  off?(event: string, listener: (value: never) => void): unknown;
}

/** @throws LogOptionsException for a value that can't be flushed */
export function trackLogger(shipper: object): TestedLogger {
  const logger: object = Object(shipper);
  if (isWinstonLogger(logger)) {
    const transports: readonly object[] = logger.transports;
    const flushable = transports.filter(isShipper);
    const flush = () => Promise.all(flushable.map((transport) => transport.flush()));
    return {
      ...tracked(flushable, flush),
      levels: (arrived) => {
        const logging = flushable.filter(({ silent }) => silent !== true);
        const levels = logging.map(({ level = logger.level }) => winstonLevels(logger, level, arrived));
        return levels.every((each) => each !== undefined) ? levels.flat() : undefined;
      },
      lost: () => detachment(logger, flushable),
    };
  }
  // The `flush` of a pino destination has a callback.
  const isStream = 'write' in logger && 'end' in logger && !('log' in logger);
  if (isPinoLogger(logger) || isStream) {
    const streams = streamsOf('track', logger) as object[] as Shipper[];
    // A worker of pino contains streams that this thread can't see.
    const own = streams.filter((stream) => 'stats' in stream || 'worker' in stream);
    return tracked(own, () => flush(logger), isPinoLogger(logger) ? logger : undefined);
  }
  if (isShipper(logger)) return tracked([logger], async () => logger.flush());
  throw new LogOptionsException(
    'track expects a pino or winston logger, the stream that pino.transport() returns, a LogTransport or an Ingester.',
  );
}

function tracked(
  shippers: readonly Shipper[],
  flush: () => Promise<unknown>,
  logger?: PinoLogger,
): TestedLogger {
  if (shippers.length === 0) {
    throw new LogOptionsException(
      'track: no stream or transport of this logger is one of logclient, so no record would arrive. Call logs.capture(logger).',
    );
  }
  const counts: Partial<Record<Drop['reason'], number>> = {};
  const trouble = new DeliveryTrouble('tracked logger');
  let latest: IngesterStats | undefined;
  // An ingester has counters, but emits no events.
  const dropped = () => shippers.find(({ on }) => on === undefined)?.stats?.dropped ?? counts;
  const listeners = Object.entries({
    drop: ({ reason, records }: Drop) => {
      counts[reason] = (counts[reason] ?? 0) + records;
    },
    warn: (warning: Warning) => trouble.keep(warning),
    stats: (stats: IngesterStats) => {
      latest = stats;
    },
  });
  for (const shipper of shippers) for (const each of listeners) shipper.on?.(...each);
  const family = new Set(logger && [logger]);
  const unfollow = logger && followChildren(logger, family);
  return {
    flush,
    levels: () => logger && pinoLevels(family, lowestLevel(logger, shippers)),
    messageKey: logger && messageKeyOf(logger),
    // Without counters, any record may be its own.
    delivered: () => shippers.reduce((sum, { stats = latest }) => sum + (stats?.delivered ?? Infinity), 0),
    lost: () => undefined,
    undelivered() {
      // The stream of pino.transport() only has the event.
      const all = shippers.flatMap(({ stats = latest }) => stats ?? []);
      return all.map((stats) => trouble.describe(stats)).find((text) => text !== undefined);
    },
    dropped,
    losses: () => trouble.describeLosses(dropped()),
    stop: () => {
      unfollow?.();
      for (const shipper of shippers) for (const each of listeners) shipper.off?.(...each);
    },
  };
}

/** The lowest level that a `multistream()` passes to one of these streams; 0 for a logger without one. */
function lowestLevel(logger: PinoLogger, shippers: readonly Shipper[]): number {
  const { streams = [] } = Object(Object(logger)[symbolOf(logger, STREAM_SYMBOL)!]);
  const own = [streams].flat().filter(({ stream }) => shippers.includes(stream));
  return own.length === 0 ? 0 : Math.min(...own.map(({ level }) => level));
}

function isShipper(value: object): value is Shipper {
  return typeof (value as Partial<Shipper>).flush === 'function';
}
