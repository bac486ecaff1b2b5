import { TextDecoder } from 'node:util';
import { RESTART_ADVICE } from '../../core/discovery/local-servers.ts';
import { UNPROVEN } from '../../core/discovery/server-proof.ts';
import { LogConnectionException, LogHTTPException, LogTimeoutException } from '../../core/errors.ts';
import { connectionCode } from '../../core/http/connection-code.ts';
import { isTransient } from '../../core/http/transient.ts';
import type { WebResponse } from '../../core/http/web-response.ts';
import type { EncodedBatch } from '../batch/encoded-batch.ts';
import type { ResolvedIngesterOptions } from '../options.ts';
import type { World } from '../world.ts';
import { classifyHecRejection } from './hec-response.ts';
import { type FailedOutcome, type Sender, type SendOutcome, timeoutReason } from './sender.ts';
import type { ServiceCheck } from './service-check.ts';

/** The response to a batch has two bytes. A connection with a response over this size is not reused. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/** Request timeout, gateway timeout. */
const TIMEOUTS: readonly number[] = [408, 504];

const HEC_ADVICE = 'Check the API key or token, the address of the event collector, and proxy credentials.';
const SCHEME_ADVICE = `${HEC_ADVICE} The authorization schemes Bearer and Splunk were both tried.`;

/** Makes one attempt to send a batch to the ingest API, and classifies its failure. */
export class HttpSender implements Sender {
  readonly #options: ResolvedIngesterOptions;
  readonly #caller: ReturnType<World['openCaller']>;
  readonly #check: ServiceCheck;
  /** True if a kept connection may have been closed by the service meanwhile. */
  #mayBeStale = false;

  constructor(options: ResolvedIngesterOptions, check: ServiceCheck, world: World) {
    this.#options = options;
    this.#check = check;
    const { baseUrl, ...connection } = options.connection;
    this.#caller = world.openCaller(baseUrl, {
      ...connection,
      timeoutMs: options.requestTimeoutMs,
      secrets: [options.token],
      redactText: check.redactText,
      background: true,
      followed: check.followed,
    });
  }

  async send(batch: EncodedBatch, signal: AbortSignal): Promise<SendOutcome> {
    const outcome = await this.#attempt(batch, signal);
    if (this.#check.switchScheme(outcome)) return this.#attempt(batch, signal);
    if (outcome.kind !== 'retryable' || !outcome.wasReset || !this.#mayBeStale) return outcome;
    // Services close idle connections, which is often noticed only by the next request. Not a failure yet.
    this.#mayBeStale = false;
    return this.#attempt(batch, signal);
  }

  async #attempt(batch: EncodedBatch, signal: AbortSignal): Promise<SendOutcome> {
    try {
      const failure = this.#check.isDueFirst ? await this.#checkAddress(signal) : undefined;
      if (failure !== undefined) return failure;
      const response = await this.#caller.callPath('POST', this.#options.endpoint, {
        data: batch.body,
        headers: requestHeaders(batch, this.#check),
        signal,
      });
      const { body, isComplete } = await readBody(response);
      this.#mayBeStale = true;
      if (this.#options.hec !== undefined) return this.#check.classifyHec(body, isComplete);
      const isDoubtful = this.#check.isDueAfter(body, isComplete);
      return (isDoubtful && (await this.#checkAddress(signal))) || { kind: 'delivered' };
    } catch (error) {
      if (signal.aborted) return { kind: 'retryable', reason: 'stopped before the service responded' };
      return classifyError(error, this.#options);
    }
  }

  /** Sends no credentials: the address may belong to anyone. */
  async #checkAddress(signal: AbortSignal): Promise<FailedOutcome | undefined> {
    try {
      const response = await this.#caller.callPath('GET', this.#check.path, { signal });
      return this.#check.failureOf(String(Buffer.from(await response.bytes(MAX_RESPONSE_BYTES))));
    } catch (error) {
      return { ...this.#check.failureOfError(error), wasReset: isReset(error) };
    }
  }
}

export function requestHeaders(
  { isCompressed }: EncodedBatch,
  { credentials }: ServiceCheck,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    ...(isCompressed && { 'content-encoding': 'gzip' }),
    ...credentials,
  };
}

/** Whether a failed request is worth another attempt. */
export function classifyError(error: unknown, options: ResolvedIngesterOptions): FailedOutcome {
  if (error instanceof LogHTTPException) return classifyResponse(error, options.hec !== undefined);
  if (error instanceof LogTimeoutException) {
    const reason = timeoutReason(error.timeoutMs, options);
    return { kind: 'retryable', dependsOn: 'size', reason, error, tookLong: true };
  }
  if (options.localServer !== undefined && error instanceof LogConnectionException) {
    return localServerFailure(error);
  }
  // No connection, or a custom `fetch` that fails in its own way: not the fault of the records.
  const reason = error instanceof Error ? error.message : 'unknown error';
  const wasReset = isReset(error);
  const dependsOn = wasReset || isUnreadable(error) ? 'records' : undefined;
  return { kind: 'retryable', dependsOn, reason, error, wasReset };
}

function localServerFailure(error: LogConnectionException): FailedOutcome {
  return {
    kind: 'retryable',
    reason: error.message.replace(` ${RESTART_ADVICE}`, ''),
    advice: RESTART_ADVICE,
    error,
    needsAttention: connectionCode(error) === UNPROVEN,
    wasReset: isReset(error),
  };
}

/** Reads the body, so that the connection can be reused. */
async function readBody(response: Pick<WebResponse, 'body'>): Promise<{ body: string; isComplete: boolean }> {
  const decoder = new TextDecoder();
  let body = '';
  try {
    for await (const chunk of response.body) {
      body += decoder.decode(chunk, { stream: true });
      if (body.length > MAX_RESPONSE_BYTES) return { body, isComplete: false };
    }
    return { body, isComplete: true };
  } catch {
    return { body, isComplete: false };
  }
}

function isReset(error: unknown): boolean {
  const code = connectionCode(error);
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET';
}

/** Whether the response is not HTTP, as firewalls respond. */
function isUnreadable(error: unknown): boolean {
  return /^HPE_|^UND_ERR_HEADERS_OVERFLOW/.test(String(connectionCode(error)));
}

function classifyResponse(error: LogHTTPException, isHec: boolean): FailedOutcome {
  const { statusCode, retryAfterMs, message: reason } = error;
  const isRateLimited = statusCode === 429;
  const isAboutTime = TIMEOUTS.includes(statusCode);
  const dependsOn =
    isRateLimited || retryAfterMs !== undefined ? undefined : isAboutTime ? 'size' : 'records';
  const failure: FailedOutcome = { kind: 'retryable', dependsOn, reason, error, retryAfterMs, isRateLimited };
  if (isTransient(error)) return failure;
  if (!isAboutRecords(error)) {
    const advice = isHec ? { advice: statusCode === 401 ? SCHEME_ADVICE : HEC_ADVICE } : {};
    return { ...failure, needsAttention: true, ...advice };
  }
  if (isHec && statusCode === 400) return classifyHecRejection(error.body, reason, error);
  return { kind: 'rejected', statusCode, reason, error };
}

/**
 * Whether a response may concern only some of the records: too large, bad request, unprocessable. Others come from a wrong
 * token or address, or from a proxy or firewall. These also respond with web pages.
 */
function isAboutRecords({ statusCode, code }: LogHTTPException): boolean {
  return statusCode === 413 || ((statusCode === 400 || statusCode === 422) && code !== 'LOG_WRONG_BASE_URL');
}
