/** Why a request was rejected. */
export type RejectionReason = 'origin' | 'rateLimit' | 'tooLarge' | 'invalid' | 'busy';

const RETRY_AFTER_SECONDS = 5;

interface RejectionDetails {
  readonly retryAfterSeconds?: number;
  /** Number of leading records that were accepted. */
  readonly accepted?: number;
}

/** A response with an error status. */
export class Rejection extends Error {
  readonly status: number;
  readonly reason: RejectionReason;
  readonly details: RejectionDetails;

  constructor(status: number, reason: RejectionReason, message: string, details: RejectionDetails = {}) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.details = details;
  }
}

/** @param accepted number of leading records that were accepted. */
export function busy(message: string, accepted = 0): Rejection {
  return new Rejection(503, 'busy', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, accepted });
}
