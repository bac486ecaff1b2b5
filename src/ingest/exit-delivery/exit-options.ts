import { usesPlainDispatcher } from '../../web/plain-dispatcher.ts';
import type { IngesterOptions, ResolvedIngesterOptions } from '../ingester-options.ts';

const INGEST_TOKEN_ENDPOINT = 'ingest/humio-structured';

/**
 * The options for an ingester in a worker that delivers to the same service: plain data, and nothing that is settled
 * already, such as tags, or that the environment might say differently by then.
 *
 * @returns `undefined` when the way to the service is one that a worker does not have: a `fetch`, a `dispatcher`, or
 * undici's global dispatcher when the program has put one of its own there
 */
export function exitOptions(resolved: ResolvedIngesterOptions): IngesterOptions | undefined {
  const { connection } = resolved;
  if (connection.fetch !== undefined || !usesPlainDispatcher(connection.dispatcher)) return undefined;
  return {
    baseUrl: connection.baseUrl.href,
    headers: connection.headers,
    ...credentials(resolved),
    ...(Number.isFinite(resolved.maxBatchRecords) ? { maxBatchRecords: resolved.maxBatchRecords } : {}),
    maxBatchBytes: resolved.maxBatchBytes,
    // What is here has found room already, and has the size that it may have.
    maxQueueBytes: Number.MAX_SAFE_INTEGER,
    maxEventBytes: Number.MAX_SAFE_INTEGER,
    maxRequestsInFlight: resolved.maxRequestsInFlight,
    compression: resolved.compression,
    requestTimeoutMs: resolved.requestTimeoutMs,
    minRetryDelayMs: resolved.minRetryDelayMs,
    maxRetryDelayMs: resolved.maxRetryDelayMs,
    closeTimeoutMs: resolved.closeTimeoutMs,
  };
}

function credentials({
  token,
  endpoint,
}: ResolvedIngesterOptions): Pick<IngesterOptions, 'ingestToken' | 'userToken' | 'repository'> {
  if (endpoint === INGEST_TOKEN_ENDPOINT) return { ingestToken: token };
  const [, repository = ''] = /^repositories\/([^/]+)\//.exec(endpoint) ?? [];
  return { userToken: token, repository: decodeURIComponent(repository) };
}
