import { abortable } from '../../abortable.ts';
import { delay } from '../../delay.ts';
import { MINUTE_MS } from '../../epoch.ts';
import { LogHTTPException } from '../../errors.ts';
import { TOKEN_TEXT } from '../../option-checks.ts';
import { tryOr } from '../../try-or.ts';
import type { Exchange, OutgoingRequest } from '../http-caller.ts';
import { isErrorAnswer } from '../http-error.ts';
import { WebCaller, type WebCallerOptions } from '../node/web-caller.ts';
import { LONGEST_RETRY_AFTER_MS, retryAfterOf } from '../retry-after.ts';
import type { WebResponse } from '../web-response.ts';
import type { ResolvedCredentials } from './client-credentials.ts';
import { CLOUD_ORIGINS, cloudAt, cloudOf } from './clouds.ts';
import { callFailure, tokenFailure } from './failures.ts';

/** Pause after a rejection because of the rate limit if the service sets none. */
const DEFAULT_PAUSE_MS = 1_000;

/** Documented lifetime of a token, for responses without one. */
const DEFAULT_LIFETIME_SECONDS = 1_800;

/**
 * Sends requests with the access token of an API client. Renews the token, moves to the cloud of the API client, and
 * waits if the rate limit is reached.
 */
export class FalconCaller extends WebCaller {
  readonly #credentials: ResolvedCredentials;
  #token: string | undefined;
  #renewAt = 0;
  /** However many calls wait for a token, only one request is made. */
  #renewal: Promise<string> | undefined;
  /** Where requests go. Changes when the service names the cloud of the API client. */
  #origin: string;
  #pausedUntil = 0;

  constructor(baseUrl: URL, credentials: ResolvedCredentials, options: WebCallerOptions) {
    super(baseUrl, { ...options, secrets: [credentials.clientSecret] });
    this.#credentials = credentials;
    this.#origin = baseUrl.origin;
  }

  override get baseUrl(): string {
    return moved(new URL(super.baseUrl), this.#origin).href;
  }

  protected override async exchange(request: OutgoingRequest): Promise<Exchange> {
    const first = await this.#authorized(request);
    if (first.response.statusCode !== 401) return first;
    first.response.discard();
    if (this.#token === first.token) this.#token = undefined;
    return this.#authorized(request);
  }

  protected override async failure(exchange: Exchange): Promise<LogHTTPException> {
    return callFailure(await super.failure(exchange), exchange.response, this.#credentials);
  }

  async #authorized(request: OutgoingRequest): Promise<Exchange & { token: string }> {
    const token = await this.#validToken(request.signal);
    const headers = { authorization: `Bearer ${token}`, ...request.headers };
    const exchange = await this.#attempt(
      () => super.exchange({ ...request, url: moved(request.url, this.#origin), headers }),
      request.signal,
    );
    return { ...exchange, token };
  }

  /** The token, renewed a minute before it expires, or after half of a lifetime shorter than two minutes. */
  #validToken(signal?: AbortSignal): Promise<string> {
    if (this.#token !== undefined && Date.now() < this.#renewAt) return Promise.resolve(this.#token);
    this.#renewal ??= this.#issueToken(Date.now()).finally(() => {
      this.#renewal = undefined;
    });
    return signal === undefined ? this.#renewal : abortable(this.#renewal, signal);
  }

  async #issueToken(requestedAt: number): Promise<string> {
    const { clientId, clientSecret, memberCid, tokenUrl } = this.#credentials;
    const form = new URLSearchParams({
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'client_credentials',
      ...(memberCid === undefined ? {} : { member_cid: memberCid }),
    });
    const body = { content: form.toString(), contentType: 'application/x-www-form-urlencoded' };
    const exchange = await this.#attempt(() => {
      const url = tokenUrl ?? new URL('/oauth2/token', this.#origin);
      return super.exchange({ method: 'POST', url, body });
    });
    const { response } = exchange;
    if (isErrorAnswer(response)) {
      throw tokenFailure(await super.failure(exchange), response, this.#credentials);
    }
    this.#move(response);
    const { value, lifetimeMs } = await issuedToken(response);
    this.#token = value;
    this.#renewAt = requestedAt + Math.max(lifetimeMs / 2, lifetimeMs - MINUTE_MS);
    return value;
  }

  /** Sends a request after the pause that an earlier response requested, and again in the cloud that its response names. */
  async #attempt(send: () => Promise<Exchange>, signal?: AbortSignal, hasMoved = false): Promise<Exchange> {
    const pauseMs = this.#pausedUntil - Date.now();
    if (pauseMs > 0 && pauseMs <= LONGEST_RETRY_AFTER_MS) await delay(pauseMs, signal);
    const exchange = await send();
    const { response } = exchange;
    const { statusCode } = response;
    this.#obeyLimit(response);
    if (statusCode < 300 || statusCode > 499 || hasMoved || !this.#move(response)) return exchange;
    response.discard();
    return this.#attempt(send, signal, true);
  }

  /** Switches to the cloud in a response, unless the address is not a CrowdStrike cloud. */
  #move(response: WebResponse): boolean {
    const cloud = cloudOf(response);
    if (cloud === undefined || cloudAt(this.#origin) === undefined) return false;
    const isElsewhere = CLOUD_ORIGINS[cloud] !== this.#origin;
    this.#origin = CLOUD_ORIGINS[cloud];
    return isElsewhere;
  }

  #obeyLimit(response: WebResponse): void {
    const isOver = response.statusCode === 429 || response.header('x-ratelimit-remaining')?.trim() === '0';
    if (!isOver) return;
    const pauseMs = retryAfterOf(response) ?? DEFAULT_PAUSE_MS;
    this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + pauseMs);
  }
}

function moved(url: URL, origin: string): URL {
  return url.origin === origin ? url : new URL(url.pathname + url.search, origin);
}

/** Never quotes the response, because it may contain a token. */
async function issuedToken(response: WebResponse) {
  const text = await response.text();
  const { access_token: value, expires_in: seconds } = tryOr({}, () => JSON.parse(text) ?? {});
  if (typeof value !== 'string' || !TOKEN_TEXT.test(value)) {
    const { method, path, statusCode } = response;
    const message = `${method} ${path} did not return an access token. Check tokenUrl and baseUrl.`;
    throw new LogHTTPException(message, { code: 'LOG_BAD_ANSWER', statusCode, method, path });
  }
  const lifetime = typeof seconds === 'number' && seconds > 0 ? seconds : DEFAULT_LIFETIME_SECONDS;
  return { value, lifetimeMs: lifetime * 1000 };
}
