import { consoleCaptures, isConsoleIntact } from '../../../transports/capture/console/patch-console.ts';
import { flush } from '../../../transports/pino/index.ts';
import { STREAM_SYMBOL, streamsOf, symbolOf } from '../../../transports/pino/logger-streams.ts';
import { hookLogger, type RecordTaker } from '../../../transports/winston/logger-hook.ts';
import { accepts } from '../../../transports/winston/transport-stream.ts';
import { LogOptionsException } from '../../core/errors.ts';
import { addressesOf } from '../../ingest/report/transport-mark.ts';
import { LoggerDelivery, placeOf, type Shipper, type TestedLogger } from './capture-delivery.ts';
import { followChildren, isPinoLogger, messageKeyOf, type PinoLogger, pinoLevels } from './pino-capture.ts';
import { isWinstonLogger, type WinstonLogger, winstonLevels } from './winston-capture.ts';

const RESTORED =
  'captureConsole() was undone, or a method of the console was replaced since. Check that a record is absent before that, or mock the console before its capture.';

const DETACHED =
  "configure(), clear() or remove() has taken the test's transport from the winston logger. Track it again.";

/**
 * @param server its URL
 * @throws LogOptionsException for a value that can't be flushed
 */
export function trackLogger(shipper: object, server: string): TestedLogger {
  const logger: object = Object(shipper);
  if (isWinstonLogger(logger)) return trackWinston(logger, server);
  // The `flush` of a pino destination has a callback.
  const isStream = 'write' in logger && 'end' in logger && !('log' in logger);
  if (isPinoLogger(logger) || isStream) {
    const streams = streamsOf('track', logger) as object[] as Shipper[];
    // A worker of pino contains streams that this thread can't see.
    const own = requireOwn(streams.filter((stream) => 'stats' in stream || 'worker' in stream));
    if (!isPinoLogger(logger)) return tracked(own, server, () => flush(logger));
    const family = new Set([logger]);
    const base = tracked(own, server, () => flush(logger));
    base.delivery.unwatch = followChildren(logger, family);
    return {
      ...base,
      levels: () => pinoLevels(family, lowestLevel(logger, own)),
      messageKey: messageKeyOf(logger),
    };
  }
  if (isShipper(logger)) {
    const lost = () => (typeof logger === 'function' && !isConsoleIntact() ? RESTORED : undefined);
    return { ...tracked([logger], server, async () => logger.flush()), lost };
  }
  throw new LogOptionsException(
    'track expects a pino or winston logger, the stream that pino.transport() returns, a LogTransport or an Ingester.',
  );
}

/** The captures of the console that deliver to a server. */
export function consoleShippers(server: string): object[] {
  const isOwn = (shipper: object) => addressesOf(shipper).map(placeOf).includes(placeOf(server));
  return [...consoleCaptures().keys()].filter(isOwn);
}

function trackWinston(logger: WinstonLogger, server: string): TestedLogger {
  const transports: readonly object[] = logger.transports;
  const own = requireOwn(transports.filter(isShipper));
  const taker: RecordTaker = {
    take(info, _, source) {
      base.delivery.hasMissed ||= logger.transports.length === 0 && accepts({}, source, info);
    },
  };
  const base = tracked(own, server, () => Promise.all(own.map((transport) => transport.flush())));
  base.delivery.unwatch = hookLogger(logger, taker);
  const logging = () => own.filter(({ silent }) => silent !== true);
  return {
    ...base,
    levels: (arrived) => winstonLevels(logger, logging(), arrived),
    lost() {
      // Without any, it logs nothing anywhere.
      const now: readonly object[] = logger.transports;
      return now.length === 0 || own.every((each) => now.includes(each)) ? undefined : DETACHED;
    },
  };
}

function requireOwn(shippers: readonly Shipper[]): readonly Shipper[] {
  if (shippers.length > 0) return shippers;
  throw new LogOptionsException(
    'track: no stream or transport of this logger is one of logclient, so no record would arrive. Call logs.capture(logger).',
  );
}

function tracked(shippers: readonly Shipper[], server: string, flush: () => Promise<unknown>): TestedLogger {
  return { delivery: new LoggerDelivery('tracked logger', shippers, server), flush, levels: () => undefined };
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
