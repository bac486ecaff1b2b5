import { LogOptionsException } from '../../src/errors.ts';
import type { IngesterOptions, ResolvedIngesterOptions } from '../../src/ingest/options.ts';
import type { Drop } from '../../src/ingest/report/delivery-event.ts';
import {
  type ResolvedTransportOptions,
  resolveInProcessOptions,
  resolveWorkerOptions,
} from '../../src/ingest/worker/worker-options.ts';
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
   * User API token for reading records with `logger.query()` and `logger.stream()`. Also used to send records if there
   * is no `ingestToken`.
   *
   * @default LOGSCALE_TOKEN or HUMIO_TOKEN from the environment
   */
  userToken?: string | undefined;
  /**
   * Repository to read from. With a `userToken` and no `ingestToken`, records are also sent to it.
   *
   * @default LOGSCALE_REPOSITORY from the environment
   */
  repository?: string | undefined;
  /**
   * Delivers records from a worker thread, which takes load off the main thread. Set this to `false` to deliver
   * in-process: in bundles and serverless functions, or to use `agent` or `fetch`, which can't be passed to a worker.
   * Hooks work in both modes.
   *
   * @default true
   */
  worker?: boolean | undefined;
  /**
   * Policy for new records when the queue is full. `dropOldest` drops the oldest records, and `dropNewest` drops the
   * new record.
   *
   * @default 'dropOldest'
   */
  overflow?: 'dropOldest' | 'dropNewest' | undefined;
  /**
   * Called with the reason for a drop, the number of dropped records and, with `worker: false`, their events. Not
   * called if the hook's own logging causes the drop.
   */
  onDrop?: ((drop: LogTransportDrop) => void) | undefined;
}

export interface ResolvedLogTransportOptions {
  readonly winston: WinstonOptions;
  readonly delivery: ResolvedTransportOptions;
  /** Where `query()` and `stream()` read. Checked when they are called. */
  readonly source: RecordSource;
}

const OWNER = 'LogTransport';

/** @throws LogOptionsException */
export function resolveLogTransportOptions(options: LogTransportOptions): ResolvedLogTransportOptions {
  const { format, level, silent, handleExceptions, handleRejections, worker = true, ...given } = options;
  if ((given.overflow as unknown) === 'block') {
    throw new LogOptionsException(
      `${OWNER}: "overflow" can't be "block": a transport must not block the logger. Use "dropOldest" or "dropNewest".`,
    );
  }
  const delivered = withOneToken(given);
  const delivery = requireBoolean(OWNER, 'worker', worker)
    ? resolveWorkerOptions(delivered, OWNER, 'Set worker: false to use it.')
    : resolveInProcessOptions(delivered, OWNER);
  return {
    winston: { format, level, silent, handleExceptions, handleRejections },
    delivery,
    source: sourceOf(given, delivery.ingester),
  };
}

/** With both tokens, the user token is only used to read. */
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
