import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { LogHTTPException, LogTimeoutException } from '../errors.ts';
import { isTransient } from '../web/transient.ts';
import { WebCaller } from '../web/web-caller.ts';
import type { WebResponse } from '../web/web-response.ts';
import type { Batch } from './batch.ts';
import type { ResolvedIngesterOptions } from './ingester-options.ts';
import type { Sender, SendOptions, SendOutcome } from './sender.ts';

const gzipAsync = promisify(gzip);

/** The fastest level: it takes most of what can be gained on logs. */
const GZIP_LEVEL = 1;

/** Requests below this aren't worth compressing. */
const MIN_GZIP_BYTES = 1024;

/** An answer to an ingest request is two bytes long; one that goes on beyond this is not worth its connection. */
const MAX_ANSWER_BYTES = 64 * 1024;

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
      background: true,
    });
  }

  async send(batch: Batch, { signal }: SendOptions): Promise<SendOutcome> {
    try {
      const { data, headers } = await this.#encode(batch.body());
      const response = await this.#caller.callRest('POST', this.#options.endpoint, { data, headers, signal });
      void readToEnd(response);
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
    if (error instanceof LogHTTPException) return judgeAnswer(error);
    if (error instanceof LogTimeoutException) {
      const reason = `no answer within ${error.timeoutMs} ms (requestTimeoutMs)`;
      return { kind: 'retryable', reason, tookLong: true };
    }
    // No connection; or nothing that can be the records' fault, such as a dispatcher that fails in its own way.
    return { kind: 'retryable', reason: error instanceof Error ? error.message : 'an unknown failure' };
  }
}

/** What the service said is known. The rest of its answer is read so that the connection can be used again. */
async function readToEnd(response: WebResponse): Promise<void> {
  let size = 0;
  try {
    for await (const chunk of response.body) {
      size += chunk.byteLength;
      if (size > MAX_ANSWER_BYTES) return;
    }
  } catch {
    // Then the next batch gets a new connection.
  }
}

function judgeAnswer(error: LogHTTPException): SendOutcome {
  const { statusCode, retryAfterMs, message } = error;
  if (isTransient(error)) return { kind: 'retryable', reason: message, retryAfterMs };
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
