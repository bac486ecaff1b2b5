import { LogHTTPException, LogTimeoutException } from '../../errors.ts';
import { environmentNames } from '../../internal/environment.ts';
import { type LocalServerState, RESTART_ADVICE, withInstanceId } from '../../internal/local-servers.ts';
import { tryOr } from '../../internal/try-or.ts';
import { Redactor, secretsOfHeaders } from '../../web/redactor.ts';
import { isTransient } from '../../web/transient.ts';
import type { ResolvedIngesterOptions } from '../options.ts';
import { safeText } from '../record/safe-json.ts';
import { connectionCode } from './connection-code.ts';
import { classifyHecBody } from './hec-response.ts';
import { type RetryableOutcome, type SendOutcome, timeoutReason } from './sender.ts';

/** `{}` or nothing. */
const USUAL_BODY = /^\s*(?:\{\s*\}\s*)?$/;

/**
 * Tells LogScale from another program at the same address, such as the user's own app on port 3000, which may respond
 * with status 200 to every request.
 *
 * The address is checked before the first batch if no address was set. It is also checked if the response to a batch
 * has a body, because LogScale responds with `{}` or nothing. The address of a discovered local server is checked before
 * each batch: the server may have been restarted with other tokens, or another program may have taken its port.
 */
export class ServiceCheck {
  readonly #options: ResolvedIngesterOptions;
  /** The local server that was found, or the one that replaced it. */
  #localServer: LocalServerState | undefined;
  #hasPassed = false;
  authScheme: ResolvedIngesterOptions['authScheme'];

  constructor(options: ResolvedIngesterOptions) {
    this.#options = options;
    this.#localServer = options.localServer;
    this.authScheme = options.authScheme;
  }

  /** True if the address must be checked before the next batch is sent there. */
  get isDueFirst(): boolean {
    return this.#localServer !== undefined || (this.#options.isDefaultAddress && !this.#hasPassed);
  }

  /** Path below the address, for `GET`. */
  get path(): string {
    return this.#localServer === undefined ? 'api/v1/status' : 'instance';
  }

  /** Token for the service at the address. */
  get token(): string {
    return this.#localServer?.variables.LOGSCALE_INGEST_TOKEN ?? this.#options.token;
  }

  /** True if the address must be checked because of this body of a successful response. */
  isDueAfter(body: string, isComplete: boolean): boolean {
    return !this.#hasPassed && !(isComplete && USUAL_BODY.test(body));
  }

  /** An event collector has no address to check. So the first response that confirms records must be complete. */
  classifyHec(body: string, isComplete: boolean): SendOutcome {
    this.#hasPassed ||= isComplete && /"code"\s*:\s*0\b/.test(body);
    const redactor = new Redactor([this.token, ...secretsOfHeaders(this.#options.connection.headers)]);
    if (isComplete || this.#hasPassed) return classifyHecBody(redactor.redact(body));
    return { kind: 'retryable', reason: 'the response of the event collector was truncated or unreadable' };
  }

  /** Checks the response to {@link path}. @returns the outcome of the batch if the address is wrong. */
  failureOf(body: string): RetryableOutcome | undefined {
    this.#hasPassed =
      this.#localServer === undefined ? isStatus(body) : this.#follow(this.#localServer, body);
    return this.#hasPassed ? undefined : this.#wrongAddress();
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

  /** After a 401 of an event collector, switches to the other authorization scheme. @returns whether it did */
  switchScheme({ error }: { readonly kind: SendOutcome['kind']; readonly error?: unknown }): boolean {
    const isWrong = error instanceof LogHTTPException && error.statusCode === 401;
    if (!isWrong || this.#options.hec === undefined) return false;
    this.authScheme = this.authScheme === 'Bearer' ? 'Splunk' : 'Bearer';
    return true;
  }

  #follow(server: LocalServerState, instanceId: string): boolean {
    const current = withInstanceId(server, instanceId);
    this.#localServer = current ?? server;
    return current !== undefined;
  }

  #wrongAddress(): RetryableOutcome {
    const { origin, pathname } = this.#options.connection.baseUrl;
    return {
      kind: 'retryable',
      reason:
        this.#localServer === undefined
          ? `${origin} is not LogScale (its response to GET ${pathname}${this.path} has no status)`
          : `the local server that was found at ${origin} has stopped, and another program uses its port`,
      needsAttention: true,
      advice: this.#advice,
    };
  }

  get #advice(): string {
    if (this.#localServer !== undefined) return RESTART_ADVICE;
    const variables = environmentNames('baseUrl');
    if (!this.#options.isDefaultAddress) return `Check "baseUrl" or ${variables}.`;
    return `No address is set. Pass "baseUrl" or set ${variables}.`;
  }
}

function isStatus(text: string): boolean {
  const body = tryOr(undefined, () => JSON.parse(text));
  return typeof body?.status === 'string' && typeof body.version === 'string';
}
