import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';

export interface GoResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Sends a request like Go's net/http: without an `Accept` header unless the program sets one. */
export function goRequest(
  method: string,
  url: string,
  { headers = {}, body }: { headers?: Readonly<Record<string, string>>; body?: string } = {},
): Promise<GoResponse> {
  const defaults = { 'user-agent': 'Go-http-client/1.1', 'accept-encoding': 'gzip' };
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers: { ...defaults, ...headers } });
    request.on('error', reject);
    request.on('response', (response) => {
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      );
    });
    request.end(body);
  });
}

/** JSON as written by Go's encoder. */
export function goJson(value: unknown): string {
  const escaped = JSON.stringify(value).replace(
    /[<>&]/g,
    (char) => `\\u00${char.charCodeAt(0).toString(16)}`,
  );
  return `${escaped}\n`;
}
