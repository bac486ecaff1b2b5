import { LogConnectionException, LogHTTPException, LogTimeoutException } from '../../errors.ts';
import { isTransient } from '../../web/transient.ts';
import { WebCaller } from '../../web/web-caller.ts';
import type { WebResponse } from '../../web/web-response.ts';
import { contentHeaders, type EncodedBatch } from '../batch/encoded-batch.ts';
import type { ResolvedIngesterOptions } from '../options.ts';
import type { Sender, SendOptions, SendOutcome } from './sender.ts';

/** An answer to an ingest request is two bytes long; one that goes on beyond this is not worth its connection. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Makes one attempt to deliver a batch by the structured ingest API, and judges its failure. */
export class HttpSender implements Sender {
  readonly #options: ResolvedIngesterOptions;
  readonly #caller: WebCaller;
  /** A connection that has served a request may be kept, and may have been closed by the service since. */
  #hasIdled = false;

  constructor(options: ResolvedIngesterOptions) {
    this.#options = options;
    const { agent, baseUrl, fetch, headers } = options.connection;
    this.#caller = new WebCaller(baseUrl, {
      agent,
      fetch,
      headers: { ...headers, authorization: `Bearer ${options.token}` },
      timeoutMs: options.requestTimeoutMs,
      secrets: [options.token],
      background: true,
    });
  }

  async send(batch: EncodedBatch, options: SendOptions): Promise<SendOutcome> {
    const outcome = await this.#attempt(batch, options);
    if (outcome.kind !== 'retryable' || !outcome.wasReset || !this.#hasIdled) return outcome;
    // Services close connections that were idle for a while, which tends to be noticed only now. No failure yet.
    this.#hasIdled = false;
    return this.#attempt(batch, options);
  }

  async #attempt(batch: EncodedBatch, { signal }: SendOptions): Promise<SendOutcome> {
    try {
      const response = await this.#caller.callRest('POST', this.#options.endpoint, {
        data: batch.body,
        headers: contentHeaders(batch),
        signal,
      });
      void readToEnd(response);
      this.#hasIdled = true;
      return { kind: 'delivered' };
    } catch (error) {
      if (signal.aborted) return { kind: 'retryable', reason: 'stopped before the service responded' };
      return classifyError(error);
    }
  }
}

/** The one place that decides which failures are worth another attempt. */
export function classifyError(error: unknown): Exclude<SendOutcome, { kind: 'delivered' }> {
  if (error instanceof LogHTTPException) return judgeAnswer(error);
  if (error instanceof LogTimeoutException) {
    const reason = `no response within ${error.timeoutMs} ms (requestTimeoutMs)`;
    return { kind: 'retryable', reason, tookLong: true };
  }
  if (error instanceof LogConnectionException && isReset(error)) {
    return { kind: 'retryable', reason: error.message, wasReset: true };
  }
  // No connection; or nothing that can be the records' fault, such as a `fetch` that fails in its own way.
  return { kind: 'retryable', reason: error instanceof Error ? error.message : 'unknown error' };
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

/** The connection was there, and was closed by the other side. */
function isReset({ cause }: LogConnectionException): boolean {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET';
}

function judgeAnswer(error: LogHTTPException): Exclude<SendOutcome, { kind: 'delivered' }> {
  const { statusCode, retryAfterMs, message } = error;
  if (isTransient(error)) {
    return { kind: 'retryable', reason: message, retryAfterMs, isRateLimited: statusCode === 429 };
  }
  if (needsAttention(statusCode)) {
    return { kind: 'retryable', reason: message, retryAfterMs, needsAttention: true };
  }
  return { kind: 'rejected', statusCode, reason: message };
}

/**
 * A wrong token (401, 403; 407 for that of a proxy) or a wrong address (404, 405, and redirects, which are never
 * followed) is no fault of the records, and people mend it without restarting the program.
 */
function needsAttention(statusCode: number): boolean {
  return [401, 403, 404, 405, 407].includes(statusCode) || statusCode < 400;
}
