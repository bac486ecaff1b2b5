import type TransportStream from 'winston-transport';
import { LogOptionsException } from '../../src/errors.ts';
import {
  FUNCTION_OPTION_NAMES,
  type IngesterOptions,
  type ResolvedIngesterOptions,
  resolveIngesterOptions,
} from '../../src/ingest/ingester-options.ts';
import { requireBoolean } from '../../src/internal/option-checks.ts';

type WinstonOptions = Pick<
  TransportStream.TransportStreamOptions,
  'format' | 'level' | 'silent' | 'handleExceptions' | 'handleRejections'
>;

/** The options of {@link LogTransport}: those of the ingester, those that every winston transport has, and `worker`. */
export interface LogTransportOptions extends Omit<IngesterOptions, 'overflow'>, WinstonOptions {
  /**
   * Delivers in a worker thread, so that `process.exit()` loses nothing and the program's own thread has less to do.
   * `false` stays in the thread, for bundled and serverless programs and for options that are functions.
   *
   * @default true
   */
  worker?: boolean | undefined;
  /**
   * What to do with a record when the queue is full: make room by dropping the oldest, or drop the new one.
   *
   * @default 'dropOldest'
   */
  overflow?: 'dropOldest' | 'dropNewest' | undefined;
}

export interface ResolvedLogTransportOptions {
  readonly winston: WinstonOptions;
  readonly worker: boolean;
  readonly ingester: ResolvedIngesterOptions;
  /** To build an ingester from, here or in a worker; plain data when `worker` is set. */
  readonly ingesterOptions: IngesterOptions;
}

const OWNER = 'LogTransport';

/** @throws LogOptionsException */
export function resolveLogTransportOptions(options: LogTransportOptions): ResolvedLogTransportOptions {
  const { format, level, silent, handleExceptions, handleRejections, worker = true, ...rest } = options;
  const ingesterOptions: IngesterOptions = { ...rest };
  const useWorker = requireBoolean(OWNER, 'worker', worker);
  if (ingesterOptions.overflow === 'block') {
    throw new LogOptionsException(
      `${OWNER}: "overflow" can't be "block": a transport must not hold up the logger. Use dropOldest or dropNewest.`,
    );
  }
  if (useWorker) {
    for (const name of FUNCTION_OPTION_NAMES) {
      if (ingesterOptions[name] === undefined) continue;
      throw new LogOptionsException(
        `${OWNER}: "${name}" can't cross into a worker thread. Set worker: false to use it.`,
      );
    }
    if (ingesterOptions.baseUrl !== undefined) ingesterOptions.baseUrl = String(ingesterOptions.baseUrl);
  }
  return Object.freeze({
    winston: { format, level, silent, handleExceptions, handleRejections },
    worker: useWorker,
    ingester: resolveIngesterOptions(ingesterOptions, OWNER),
    ingesterOptions,
  });
}
