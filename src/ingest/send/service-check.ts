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
 * The address is checked before the first batch if no address was set. It is also checked if the response to a batch
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
    return this.#options.isDefaultAddress && !this.#hasPassed;
  }

  /** True if the address must be checked because of this body of a successful response. */
  isDueAfter(body: string): boolean {
    return !this.#hasPassed && !USUAL_BODY.test(body);
  }

  /**
   * Checks the body of the response to `GET /api/v1/status`.
   *
   * @returns the outcome of the batch if the address is wrong.
   */
  failureOf(body: string): RetryableOutcome | undefined {
    this.#hasPassed ||= isStatus(body);
    return this.#hasPassed ? undefined : this.#wrongAddress();
  }

  /** The outcome of the batch if `GET /api/v1/status` failed. */
  failureOfError(error: unknown): RetryableOutcome {
    if (error instanceof LogHTTPException && !isTransient(error)) return this.#wrongAddress();
    const reason = error instanceof Error ? error.message : 'unknown error';
    return { kind: 'retryable', reason, error, advice: this.#advice };
  }

  #wrongAddress(): RetryableOutcome {
    const { baseUrl } = this.#options.connection;
    return {
      kind: 'retryable',
      reason: `${baseUrl.origin} is not LogScale (its response to GET ${baseUrl.pathname}api/v1/status has no status)`,
      needsAttention: true,
      advice: this.#advice,
    };
  }

  /** How to set the right address. */
  get #advice(): string {
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
