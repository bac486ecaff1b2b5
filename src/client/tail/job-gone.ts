import { LogQueryJobCancelledException, LogQueryJobExpiredException } from '../../core/errors.ts';

/** Whether a query job no longer exists: it expired, was deleted or canceled, or the service has restarted. */
export function isJobGone(error: unknown): boolean {
  return error instanceof LogQueryJobExpiredException || error instanceof LogQueryJobCancelledException;
}
