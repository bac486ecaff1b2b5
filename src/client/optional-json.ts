import { LogHTTPException } from '../core/errors.ts';
import type { WebResponse } from '../core/http/web-response.ts';

/** Returns the body as JSON, or undefined if it is not JSON: only some versions of the service send a body. */
export async function optionalJson<T>(response: WebResponse): Promise<T | undefined> {
  try {
    return await response.json<T>();
  } catch (error) {
    if (error instanceof LogHTTPException && error.code === 'LOG_BAD_ANSWER') return undefined;
    throw error;
  }
}
