import { LogQueryJobCancelledException, LogQueryJobExpiredException } from '../errors.ts';

/** Whether the service has a query job no more: it expired, was deleted or canceled, or the service has restarted. */
export function isJobGone(error: unknown): boolean {
  return error instanceof LogQueryJobExpiredException || error instanceof LogQueryJobCancelledException;
}
