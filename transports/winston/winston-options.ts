import type { ResolvedTransportOptions } from '../../src/ingest/worker/worker-options.ts';
import { type EventTransportOptions, resolveEventTransportOptions } from '../kit/event-transport-options.ts';
import type { RecordSource } from './record-reader.ts';
import type { WinstonOptions } from './transport-stream.ts';

/** Options of {@link LogTransport}: those of the ingester, those of every winston transport, and `worker`. */
export interface LogTransportOptions
  extends Omit<EventTransportOptions, 'userToken' | 'repository'>,
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
}

export interface ResolvedLogTransportOptions {
  readonly winston: WinstonOptions;
  readonly delivery: ResolvedTransportOptions;
  /** Where `query()` and `stream()` read. Checked when they are called. */
  readonly source: RecordSource;
}

/** @throws LogOptionsException */
export function resolveLogTransportOptions(options: LogTransportOptions): ResolvedLogTransportOptions {
  const { format, level, silent, handleExceptions, handleRejections, userToken, repository, ...sent } =
    options;
  // With both tokens, the user token is only used to read.
  const credentials = sent.ingestToken === undefined ? { userToken, repository } : {};
  const delivery = resolveEventTransportOptions({ ...sent, ...credentials }, 'LogTransport');
  const { connection, tags } = delivery.ingester;
  return {
    winston: { format, level, silent, handleExceptions, handleRejections },
    delivery,
    source: { connection, userToken, repository, tags },
  };
}
