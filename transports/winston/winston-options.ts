import type { IngesterOptions, ResolvedIngesterOptions } from '../../src/ingest/options.ts';
import type { ResolvedTransportOptions } from '../../src/ingest/worker/worker-options.ts';
import { resolveConnectionOptions } from '../../src/web/connection-options.ts';
import { type EventTransportOptions, resolveEventTransportOptions } from '../kit/event-transport-options.ts';
import type { RecordSource } from './record-reader.ts';
import type { WinstonOptions } from './transport-stream.ts';

/** Options of {@link LogTransport}: those of the ingester, those of every winston transport, and `worker`. */
export interface LogTransportOptions
  extends Omit<EventTransportOptions, 'userToken' | 'repository' | 'format'>,
    Omit<WinstonOptions, 'format'> {
  /**
   * A winston format for this transport, applied after the logger's format; or `structured` or `hec`, the format of the
   * requests. To set both, set the winston format on the logger, or LOGSCALE_FORMAT in the environment.
   *
   * @default no winston format; requests as LOGSCALE_FORMAT in the environment says, else 'structured'
   */
  format?: WinstonOptions['format'] | EventTransportOptions['format'];
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
  const { format, level, silent, handleExceptions, handleRejections, ...given } = options;
  const isWinston = typeof format === 'object';
  const requests = isWinston || format === undefined ? {} : { format };
  const delivery = resolveEventTransportOptions({ ...withOneToken(given), ...requests }, OWNER);
  return {
    winston: { format: isWinston ? format : undefined, level, silent, handleExceptions, handleRejections },
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

/** An event collector has another address than the API, and makes tags ordinary fields. */
function sourceOf(
  given: Omit<LogTransportOptions, 'format'>,
  { tags, hec }: ResolvedIngesterOptions,
): RecordSource {
  const { userToken, repository } = given;
  const fields = Object.entries(tags).map(([name, value]) => [hec === undefined ? `#${name}` : name, value]);
  const connection = resolveConnectionOptions(OWNER, given);
  return { connection, userToken, repository, fields: Object.fromEntries(fields) };
}
