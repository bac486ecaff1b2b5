import { LogConnectionException, LogHTTPException, LogTimeoutException } from '../errors.ts';

/** Whether the same call may succeed later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof LogConnectionException || error instanceof LogTimeoutException) return true;
  return error instanceof LogHTTPException && isTransientStatus(error.statusCode);
}

/** The same after such a call has succeeded: a web page means maintenance then, not a wrong address. */
export function isTransientLater(error: unknown): boolean {
  const isPage =
    error instanceof LogHTTPException && error.code === 'LOG_WRONG_BASE_URL' && error.statusCode === 200;
  return isPage || isTransient(error);
}

function isTransientStatus(statusCode: number): boolean {
  if (statusCode === 408 || statusCode === 425 || statusCode === 429) return true;
  return statusCode >= 500 && statusCode !== 501;
}
