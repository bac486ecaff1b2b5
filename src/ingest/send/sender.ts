import type { EncodedBatch } from '../batch/encoded-batch.ts';

/** What became of an attempt to deliver a batch. Expected failures are values, not exceptions. */
export type SendOutcome =
  | { readonly kind: 'delivered' }
  | {
      readonly kind: 'retryable';
      /** For people; holds no token. */
      readonly reason: string;
      /** How long the service asked us to wait. */
      readonly retryAfterMs?: number | undefined;
      /** Set when the service limits the rate of requests. */
      readonly isRateLimited?: boolean;
      /** Set when sending again won't help until somebody mends a token or an address. */
      readonly needsAttention?: boolean;
      /** Set when the attempt took so long that people should hear of it without a second one. */
      readonly tookLong?: boolean;
      /** Set when the service closed the connection without an answer. */
      readonly wasReset?: boolean;
    }
  | { readonly kind: 'rejected'; readonly statusCode: number; readonly reason: string };

export type RetryableOutcome = Extract<SendOutcome, { kind: 'retryable' }>;

export interface SendOptions {
  /** Ends the attempt. An aborted attempt is a retryable one. */
  signal: AbortSignal;
}

/** Delivers batches. Implementations wrap each other: HTTP inside, retries around it. */
export interface Sender {
  /** Never rejects. */
  send(batch: EncodedBatch, options: SendOptions): Promise<SendOutcome>;
}
