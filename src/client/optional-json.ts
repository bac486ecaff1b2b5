import { LogHTTPException } from '../errors.ts';
import type { WebResponse } from '../web/web-response.ts';

/** The body as JSON, or undefined for an answer whose body is not JSON: some calls have one, in some versions. */
export async function optionalJson<T>(response: WebResponse): Promise<T | undefined> {
  try {
    return await response.json<T>();
  } catch (error) {
    if (error instanceof LogHTTPException && error.code === 'LOG_BAD_ANSWER') return undefined;
    throw error;
  }
}
