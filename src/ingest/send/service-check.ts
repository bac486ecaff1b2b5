import { environmentName } from '../../core/environment.ts';
import { LogHTTPException, LogTimeoutException } from '../../core/errors.ts';
import { connectionCode } from '../../core/http/connection-code.ts';
import { isPage } from '../../core/http/http-error.ts';
import { messageRedactor, type RedactText, secretsOfHeaders } from '../../core/http/message-redactor.ts';
import { FollowedServer } from '../../core/http/node/followed-server.ts';
import { isTransient } from '../../core/http/transient.ts';
import { tryOr } from '../../core/try-or.ts';
import type { EncodedBatch } from '../batch/encoded-batch.ts';
import type { ResolvedIngesterOptions } from '../options.ts';
import { safeText } from '../record/safe-json.ts';
import { classifyError } from './classify-error.ts';
import { classifyHecBody } from './hec-response.ts';
import {
  type Call,
  type FailedOutcome,
  type Reply,
  type RetryableOutcome,
  type SendOutcome,
  timeoutReason,
} from './sender.ts';

const STATUS_PATH = 'api/v1/status';

/** `{}` or nothing. */
const USUAL_BODY = /^\s*(?:\{\s*\}\s*)?$/;

/**
 * Tells LogScale from another program at the same address, such as the user's own app on port 3000, which may respond
 * with status 200 to every request.
 *
 * The address is checked before the first batch if no address was set. It is also checked if the response to a batch
 * has a body, because LogScale responds with `{}` or nothing. A discovered local server proves its identity on each
 * connection instead.
 */
export class ServiceCheck {
  readonly #options: ResolvedIngesterOptions;
  #hasPassed = false;
  #authScheme: ResolvedIngesterOptions['authScheme'];
  /** The local server that was found, if no service is set. */
  readonly followed: FollowedServer | undefined;
  /** Removes secrets from responses, in addition to those of requests. */
  readonly redactText: RedactText | undefined;

  constructor(options: ResolvedIngesterOptions, redactText?: RedactText) {
    this.#options = options;
    this.redactText = redactText;
    this.#authScheme = options.authScheme;
    const { localServer, tokenVariable } = options;
    this.followed =
      localServer &&
      new FollowedServer(localServer, ({ variables }) => this.#authorization(variables[tokenVariable]));
  }

  /** The header with the token. Of a discovered server, {@link followed} has it. */
  get #credentials(): Readonly<Record<string, string>> {
    return this.followed === undefined ? this.#authorization(this.#options.token) : {};
  }

  #authorization(token: string | undefined): Readonly<Record<string, string>> {
    return { authorization: `${this.#authScheme} ${token}` };
  }

  /** The calls of an attempt to deliver a batch, in turn, for senders that wait and for those that block. */
  *attempt(batch: EncodedBatch): Generator<Call, SendOutcome, Reply> {
    const outcome = yield* this.#send(batch);
    const error = outcome.kind === 'delivered' ? undefined : outcome.error;
    if (this.#options.hec === undefined || !(error instanceof LogHTTPException) || error.statusCode !== 401)
      return outcome;
    this.#authScheme = this.#authScheme === 'Bearer' ? 'Splunk' : 'Bearer';
    return yield* this.#send(batch);
  }

  *#send({ body: data, isCompressed }: EncodedBatch): Generator<Call, SendOutcome, Reply> {
    const { connection, endpoint, hec, isDefaultAddress } = this.#options;
    const failure = isDefaultAddress && !this.#hasPassed ? yield* this.#checkAddress() : undefined;
    if (failure !== undefined) return failure;
    const headers = {
      'content-type': 'application/json',
      ...(isCompressed && { 'content-encoding': 'gzip' }),
      ...this.#credentials,
    };
    const { body, isComplete = false, error } = yield { verb: 'POST', path: endpoint, headers, body: data };
    if (body === undefined) return classifyError(error, this.#options);
    if (isPage(body)) {
      const reason = `${connection.baseUrl.host} responded with a web page instead of an API response`;
      return { kind: 'retryable', dependsOn: 'records', reason, needsAttention: true, advice: this.#advice };
    }
    if (hec !== undefined) return this.#classifyHec(body, isComplete);
    const isDoubtful = !this.#hasPassed && !(isComplete && USUAL_BODY.test(body));
    return (isDoubtful && (yield* this.#checkAddress())) || { kind: 'delivered' };
  }

  /** Sends no credentials: the address may belong to anyone. @returns the outcome of the batch if it is wrong. */
  *#checkAddress(): Generator<Call, FailedOutcome | undefined, Reply> {
    const { body, error } = yield { verb: 'GET', path: STATUS_PATH };
    if (body === undefined || error !== undefined) return this.failureOfError(error);
    const answer = tryOr(undefined, () => JSON.parse(body));
    this.#hasPassed = typeof answer?.status === 'string' && typeof answer.version === 'string';
    return this.#hasPassed ? undefined : this.#wrongAddress();
  }

  /** An event collector has no address to check. So the first response that confirms records must be complete. */
  #classifyHec(body: string, isComplete: boolean): SendOutcome {
    this.#hasPassed ||= isComplete && /"code"\s*:\s*0\b/.test(body);
    const headers = { ...this.#options.connection.headers, ...(this.followed?.headers ?? this.#credentials) };
    const redactor = messageRedactor(secretsOfHeaders(headers), this.redactText);
    if (isComplete || this.#hasPassed) return classifyHecBody(redactor(body));
    return { kind: 'retryable', reason: 'the response of the event collector was truncated or unreadable' };
  }

  failureOfError(error: unknown): RetryableOutcome {
    if (error instanceof LogHTTPException && !isTransient(error)) return this.#wrongAddress();
    const isTimeout = error instanceof LogTimeoutException;
    const reason = isTimeout ? timeoutReason(error.timeoutMs, this.#options) : safeText(error);
    // No address is set, and nothing listens: a program that ends does not wait for that.
    const needsAttention =
      this.#options.isDefaultAddress && !this.#hasPassed && connectionCode(error) === 'ECONNREFUSED';
    return { kind: 'retryable', reason, error, needsAttention, advice: this.#advice };
  }

  #wrongAddress(): RetryableOutcome {
    const { origin, pathname } = this.#options.connection.baseUrl;
    const reason = `${origin} is not LogScale (its response to GET ${pathname}${STATUS_PATH} has no status)`;
    return { kind: 'retryable', reason, needsAttention: true, advice: this.#advice };
  }

  get #advice(): string {
    const variables = environmentName('baseUrl');
    if (!this.#options.isDefaultAddress) return `Check "baseUrl" or ${variables}.`;
    return `No address is set. Pass "baseUrl" or set ${variables}.`;
  }
}
