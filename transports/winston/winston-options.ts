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

/** Dropped records, passed to `onDrop`. */
export interface LogTransportDrop extends Drop {
  /** Events as JSON strings; only with `worker: false`. */
  readonly events?: readonly string[] | undefined;
}

/** Options of {@link LogTransport}: those of the ingester, those of every winston transport, and `worker`. */
export interface LogTransportOptions
  extends Omit<IngesterOptions, 'overflow' | 'onDrop' | 'userToken' | 'repository'>,
    WinstonOptions {
  /**
   * API token of a user, to read records with `logger.query()` and `logger.stream()`. Also used to send records if
   * there is no `ingestToken`.
   *
   * @default LOGSCALE_TOKEN or HUMIO_TOKEN from the environment
   */
  userToken?: string | undefined;
  /** Repository to read from, and to send to with a `userToken`. @default LOGSCALE_REPOSITORY from the environment */
  repository?: string | undefined;
  /**
   * Delivers from a worker thread, which takes load off the main thread. Set `false` to deliver in-process: in bundles
   * and serverless functions, and to use `agent` or `fetch`, which can't be passed to a worker. Hooks work in both
   * modes.
   *
   * @default true
   */
  worker?: boolean | undefined;
  /**
   * Policy for new records when the queue is full: drop the oldest records or drop the new record.
   *
   * @default 'dropOldest'
   */
  overflow?: 'dropOldest' | 'dropNewest' | undefined;
  /**
   * Called with the number of dropped records and, with `worker: false`, their events. Not called for records that are
   * dropped because the hook itself logs.
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
  return { connection, userToken, repository, tags };
}
