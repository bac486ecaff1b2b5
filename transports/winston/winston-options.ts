import { LogOptionsException } from '../../src/errors.ts';
import {
  type IngesterOptions,
  type ResolvedIngesterOptions,
  resolveIngesterOptions,
} from '../../src/ingest/ingester-options.ts';
import type { DeliveryHooks } from '../../src/ingest/worker/delivery-announcer.ts';
import type { Drop } from '../../src/ingest/worker/delivery-event.ts';
import { resolveWorkerOptions } from '../../src/ingest/worker/worker-options.ts';
import { requireBoolean } from '../../src/internal/option-checks.ts';
import type { RecordSource } from './record-reader.ts';
import type { WinstonOptions } from './transport-stream.ts';

/** Records that were given up. */
export interface LogTransportDrop extends Drop {
  /** The events, as the JSON that would have been sent; only with `worker: false`. */
  readonly events?: readonly string[] | undefined;
}

/** The options of {@link LogTransport}: those of the ingester, those that every winston transport has, and `worker`. */
export interface LogTransportOptions
  extends Omit<IngesterOptions, 'overflow' | 'onDrop' | 'userToken' | 'repository'>,
    WinstonOptions {
  /**
   * A user's token, to read back with `logger.query()` and `logger.stream()`. Without an `ingestToken`, records are
   * sent with it as well.
   *
   * @default LOGSCALE_TOKEN or HUMIO_TOKEN from the environment
   */
  userToken?: string | undefined;
  /** The repository to read from, and to send to with a `userToken`. @default LOGSCALE_REPOSITORY from the environment */
  repository?: string | undefined;
  /**
   * Delivers in a worker thread, so that the program's own thread has less to do.
   * `false` stays in the thread, for bundled and serverless programs, and for an `agent` or a `fetch`, which can't
   * cross into a worker. Hooks can be used with both.
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
  /**
   * Called with the number of records that are given up, and with `worker: false` with the records, too. Not called
   * with those that the hook itself displaces by logging.
   */
  onDrop?: ((drop: LogTransportDrop) => void) | undefined;
}

export interface ResolvedLogTransportOptions {
  readonly winston: WinstonOptions;
  readonly worker: boolean;
  readonly ingester: ResolvedIngesterOptions;
  /** To build an ingester from, here or in a worker; plain data when `worker` is set. */
  readonly ingesterOptions: IngesterOptions;
  /** Where `query()` and `stream()` read. Checked when they are called. */
  readonly source: RecordSource;
  /** To be called here with what a worker tells. Without a worker, the ingester calls its own. */
  readonly hooks: DeliveryHooks;
}

const OWNER = 'LogTransport';

/** @throws LogOptionsException */
export function resolveLogTransportOptions(options: LogTransportOptions): ResolvedLogTransportOptions {
  const { format, level, silent, handleExceptions, handleRejections, worker = true, ...given } = options;
  const rest = withOneToken(given);
  // Signals are the transport's affair: a worker does not hear of them.
  const { flushOnSignals, ...ingesterOptions }: IngesterOptions = rest;
  const useWorker = requireBoolean(OWNER, 'worker', worker);
  if (ingesterOptions.overflow === 'block') {
    throw new LogOptionsException(
      `${OWNER}: "overflow" can't be "block": a transport must not block the logger. Use "dropOldest" or "dropNewest".`,
    );
  }
  const shared = {
    winston: { format, level, silent, handleExceptions, handleRejections },
    worker: useWorker,
  };
  if (useWorker) {
    const {
      ingesterOptions: plain,
      hooks,
      resolved,
    } = resolveWorkerOptions(rest, OWNER, 'Set worker: false to use it.');
    const source = sourceOf(given, resolved);
    return Object.freeze({ ...shared, ingester: resolved, ingesterOptions: plain, source, hooks });
  }
  const ingester = resolveIngesterOptions(rest, OWNER);
  return Object.freeze({
    ...shared,
    ingester,
    ingesterOptions,
    source: sourceOf(given, ingester),
    hooks: {},
  });
}

/** With both tokens, that of the user is for reading alone. */
function withOneToken<Options extends Credentials>(options: Options): Options {
  return options.ingestToken === undefined
    ? options
    : { ...options, userToken: undefined, repository: undefined };
}

type Credentials = Pick<IngesterOptions, 'ingestToken' | 'userToken' | 'repository'>;

function sourceOf(
  { userToken, repository }: LogTransportOptions,
  { connection, tags }: ResolvedIngesterOptions,
): RecordSource {
  const { agent, baseUrl, fetch, headers } = connection;
  return { connection: { agent, baseUrl, fetch, headers }, userToken, repository, tags };
}
