import { LogHTTPException } from '../../errors.ts';
import { environmentNames } from '../../internal/environment.ts';
import { isTransient } from '../../web/transient.ts';
import type { ResolvedIngesterOptions } from '../options.ts';
import type { RetryableOutcome } from './sender.ts';

/** `{}`, nothing, or as much of it as arrived. */
const USUAL_BODY = /^\s*(?:\{\s*(?:\}\s*)?)?$/;

/**
 * Tells LogScale from another program at the same address, such as the user's own app on port 3000, which may respond
 * with status 200 to every request.
 *
 * The address is checked before the first batch if no address was set, or if it is that of a local server that was found,
 * which may have stopped. It is also checked if the response to a batch
 * has a body, because LogScale responds with `{}` or nothing.
 */
export class ServiceCheck {
  readonly #options: ResolvedIngesterOptions;
  #hasPassed = false;

  constructor(options: ResolvedIngesterOptions) {
    this.#options = options;
  }

  /** True if the address must be checked before any batch is sent there. */
  get isDueFirst(): boolean {
    const { isDefaultAddress, localServer } = this.#options;
    return (isDefaultAddress || localServer !== undefined) && !this.#hasPassed;
  }

  /** Path below the address, for `GET`. */
  get path(): string {
    return this.#options.localServer === undefined ? 'api/v1/status' : 'instance';
  }

  /** True if the address must be checked because of this body of a successful response. */
  isDueAfter(body: string): boolean {
    return !this.#hasPassed && !USUAL_BODY.test(body);
  }

  /**
   * Checks the body of the response to {@link path}.
   *
   * @returns the outcome of the batch if the address is wrong.
   */
  failureOf(body: string): RetryableOutcome | undefined {
    const { localServer } = this.#options;
    this.#hasPassed ||= localServer === undefined ? isStatus(body) : body === localServer.instanceId;
    return this.#hasPassed ? undefined : this.#wrongAddress();
  }

  /** The outcome of the batch if that request failed. */
  failureOfError(error: unknown): RetryableOutcome {
    if (error instanceof LogHTTPException && !isTransient(error)) return this.#wrongAddress();
    const reason = error instanceof Error ? error.message : 'unknown error';
    return { kind: 'retryable', reason, error, advice: this.#advice };
  }

  #wrongAddress(): RetryableOutcome {
    const { localServer, connection } = this.#options;
    const { origin, pathname } = connection.baseUrl;
    return {
      kind: 'retryable',
      reason:
        localServer === undefined
          ? `${origin} is not LogScale (its response to GET ${pathname}${this.path} has no status)`
          : `the local server that was found at ${origin} has stopped, and another program uses its port`,
      needsAttention: true,
      advice: this.#advice,
    };
  }

  /** How to set the right address. */
  get #advice(): string {
    if (this.#options.localServer !== undefined) return 'Start "logclient serve", then restart this program.';
    const variables = environmentNames('baseUrl');
    if (!this.#options.isDefaultAddress) return `Check "baseUrl" or ${variables}.`;
    return `No address is set. Pass "baseUrl" or set ${variables}.`;
  }
}

function isStatus(text: string): boolean {
  try {
    const { status, version } = JSON.parse(text) as Record<string, unknown>;
    return typeof status === 'string' && typeof version === 'string';
  } catch {
    return false;
  }
}
