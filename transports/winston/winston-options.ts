import { resolveConnectionOptions } from '../../src/core/http/node/connection-options.ts';
import { requireOptions, resolveAll } from '../../src/core/option-checks.ts';
import {
  type EventTransportOptions,
  resolveEventTransportOptions,
} from '../../src/ingest/kit/event-transport-options.ts';
import type { ResolvedIngesterOptions } from '../../src/ingest/options.ts';
import type { ResolvedTransportOptions } from '../../src/ingest/worker/worker-options.ts';
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
  requireOptions(OWNER, options);
  const { format, level, silent, handleExceptions, handleRejections, userToken, repository, ...sent } =
    options;
  const isWinston = typeof format === 'object';
  const requests = isWinston || format === undefined ? {} : { format };
  // With both tokens, the user token is only used to read.
  const credentials = sent.ingestToken === undefined ? { userToken, repository } : {};
  const { delivery, connection } = resolveAll({
    delivery: () => resolveEventTransportOptions({ ...sent, ...requests, ...credentials }, OWNER),
    // An event collector has another address than the API.
    connection: () => resolveConnectionOptions(OWNER, sent),
  });
  return {
    winston: { format: isWinston ? format : undefined, level, silent, handleExceptions, handleRejections },
    delivery,
    source: { connection, userToken, repository, fields: tagFieldsOf(delivery.ingester) },
  };
}

/** An event collector makes tags ordinary fields. */
function tagFieldsOf({ tags, hec }: ResolvedIngesterOptions): Readonly<Record<string, string>> {
  if (hec !== undefined) return tags;
  return Object.fromEntries(Object.entries(tags).map(([name, value]) => [`#${name}`, value]));
}
