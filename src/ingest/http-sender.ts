import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { LogConnectionException, LogHTTPException, LogTimeoutException } from '../errors.ts';
import { WebCaller } from '../web/web-caller.ts';
import type { Batch } from './batch.ts';
import type { ResolvedIngesterOptions } from './ingester-options.ts';
import type { Sender, SendOptions, SendOutcome } from './sender.ts';

const gzipAsync = promisify(gzip);

/** The fastest level: it takes most of what can be gained on logs. */
const GZIP_LEVEL = 1;

/** Requests below this aren't worth compressing. */
const MIN_GZIP_BYTES = 1024;

/** Makes one attempt to deliver a batch by the structured ingest API, and judges its failure. */
export class HttpSender implements Sender {
  readonly #options: ResolvedIngesterOptions;
  readonly #caller: WebCaller;

  constructor(options: ResolvedIngesterOptions) {
    this.#options = options;
    const { baseUrl, dispatcher, fetch, headers } = options.connection;
    this.#caller = new WebCaller(baseUrl, {
      dispatcher,
      fetch,
      headers: { ...headers, authorization: `Bearer ${options.token}` },
      timeoutMs: options.requestTimeoutMs,
      secrets: [options.token],
    });
  }

  async send(batch: Batch, { signal }: SendOptions): Promise<SendOutcome> {
    try {
      const { data, headers } = await this.#encode(batch.body());
      const response = await this.#caller.callRest('POST', this.#options.endpoint, { data, headers, signal });
      response.discard();
      return { kind: 'delivered' };
    } catch (error) {
      return this.#judge(error, signal);
    }
  }

  async #encode(body: string): Promise<{ data: Uint8Array; headers: Record<string, string> }> {
    const bytes = Buffer.from(body);
    if (this.#options.compression === 'none' || bytes.length < MIN_GZIP_BYTES) {
      return { data: bytes, headers: { 'content-type': 'application/json' } };
    }
    const data = await gzipAsync(bytes, { level: GZIP_LEVEL, chunkSize: 256 * 1024 });
    return { data, headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } };
  }

  /** The one place that decides which failures are worth another attempt. */
  #judge(error: unknown, signal: AbortSignal): SendOutcome {
    if (signal.aborted) return { kind: 'retryable', reason: 'stopped before the service answered' };
    if (error instanceof LogHTTPException) return judgeStatus(error);
    if (error instanceof LogTimeoutException) {
      return { kind: 'retryable', reason: `no answer within ${error.timeoutMs} ms (requestTimeoutMs)` };
    }
    if (error instanceof LogConnectionException) return { kind: 'retryable', reason: error.message };
    // Nothing that can be the records' fault: a dispatcher or fetch of the caller's that fails in its own way.
    return { kind: 'retryable', reason: error instanceof Error ? error.message : 'an unknown failure' };
  }
}

function judgeStatus({ statusCode, retryAfterMs, message }: LogHTTPException): SendOutcome {
  const isTransient = statusCode === 408 || statusCode === 425 || statusCode === 429;
  if (isTransient || (statusCode >= 500 && statusCode !== 501)) {
    return { kind: 'retryable', reason: message, retryAfterMs };
  }
  if (needsAttention(statusCode)) {
    return { kind: 'retryable', reason: message, retryAfterMs, needsAttention: true };
  }
  return { kind: 'rejected', statusCode, reason: message };
}

/**
 * A wrong token (401, 403) or a wrong address (404, 405, and redirects, which are never followed) is no fault of the
 * records, and people mend it without restarting the program.
 */
function needsAttention(statusCode: number): boolean {
  return [401, 403, 404, 405].includes(statusCode) || statusCode < 400;
}
