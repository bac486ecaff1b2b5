/** Why a request was rejected. */
export type RejectionReason = 'origin' | 'rateLimit' | 'tooLarge' | 'invalid' | 'busy';

const RETRY_AFTER_SECONDS = 5;

/** A response with an error status. */
export class Rejection extends Error {
  readonly status: number;
  readonly reason: RejectionReason;
  readonly retryAfterSeconds: number | undefined;
  /** Number of leading records that were accepted. */
  readonly accepted: number | undefined;

  constructor(
    status: number,
    reason: RejectionReason,
    message: string,
    { retryAfterSeconds, accepted }: { retryAfterSeconds?: number; accepted?: number } = {},
  ) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
    this.accepted = accepted;
  }
}

/** @param accepted number of leading records that were accepted. */
export function busy(message: string, accepted = 0): Rejection {
  return new Rejection(503, 'busy', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, accepted });
}
