import { LogConnectionException, LogHTTPException, LogTimeoutException } from '../errors.ts';

/** Whether the same call may succeed later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof LogConnectionException || error instanceof LogTimeoutException) return true;
  if (!(error instanceof LogHTTPException)) return false;
  const { statusCode } = error;
  return [408, 425, 429].includes(statusCode) || (statusCode >= 500 && statusCode !== 501);
}

/** The same after such a call has succeeded: a web page means maintenance then, not a wrong address. */
export function isTransientLater(error: unknown): boolean {
  const isPage =
    error instanceof LogHTTPException && error.code === 'LOG_WRONG_BASE_URL' && error.statusCode === 200;
  return isPage || isTransient(error);
}
