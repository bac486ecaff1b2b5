import type { ResolvedIngesterOptions } from '../options.ts';

/** The batch stays queued and is sent again. */
export interface RetryableOutcome {
  readonly kind: 'retryable';
  /** What the failure may depend on; `undefined` if any request would have failed. */
  readonly dependsOn?: 'records' | 'size' | undefined;
  /** For people; contains no token. */
  readonly reason: string;
  /** What a person can do about it. */
  readonly advice?: string;
  readonly error?: unknown;
  /** Delay that the service asked for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** True if the service asked for fewer requests. */
  readonly isRateLimited?: boolean;
  /** True if retrying fails until a person fixes a token or an address. */
  readonly needsAttention?: boolean;
}

/** The service will not accept the batch as it is. */
export interface RejectedOutcome {
  readonly kind: 'rejected';
  /** 0 if the batch could not be sent at all. */
  readonly statusCode: number;
  /** Index of the first rejected record, if the service names it. */
  readonly invalidRecord?: number | undefined;
  readonly reason: string;
  readonly error?: unknown;
}

export type FailedOutcome = RetryableOutcome | RejectedOutcome;

/** The outcome of an attempt to deliver a batch. Expected failures are values, not exceptions. */
export type SendOutcome = { readonly kind: 'delivered' } | FailedOutcome;

/** A request of an attempt. */
export interface Call {
  readonly verb: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** What came of it. */
export interface Reply {
  /** What arrived of the body of a successful response; `undefined` if there is none. */
  readonly body?: string;
  readonly isComplete?: boolean;
  /** Why the request failed, or the rest of the body is missing. */
  readonly error?: unknown;
}

/** Names the option that has set the limit: at close and exit, a request gets less time. */
export function timeoutReason(timeoutMs: number, { requestTimeoutMs }: ResolvedIngesterOptions): string {
  const option = timeoutMs < requestTimeoutMs ? 'closeTimeoutMs' : 'requestTimeoutMs';
  return `no response within ${Math.round(timeoutMs)} ms (${option})`;
}
