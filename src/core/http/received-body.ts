import type { HttpResponse } from './http-adapter.ts';

/** The response to a batch has two bytes. A connection with a response over this size is not reused. */
const MAX_LENGTH = 64 * 1024;

/** What arrived of the body of a response. */
export interface ReceivedBody {
  readonly body: string;
  readonly isComplete?: boolean;
  /** Why the rest is missing. */
  readonly error?: unknown;
}

/** Reads the body, so that the connection can be reused. */
export async function receiveBody(response: Pick<HttpResponse, 'body'>): Promise<ReceivedBody> {
  const decoder = new TextDecoder();
  let body = '';
  try {
    for await (const chunk of response.body) {
      body += decoder.decode(chunk, { stream: true });
      if (body.length > MAX_LENGTH) return { body };
    }
    return { body, isComplete: true };
  } catch (error) {
    return { body, error };
  }
}
