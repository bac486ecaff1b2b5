import { LogConnectionException, LogHTTPException } from '../../core/errors.ts';
import { type FetchLike, fetchAdapter } from '../../core/http/fetch-adapter.ts';
import { HttpCaller } from '../../core/http/http-caller.ts';
import { reasonInBody } from '../../core/http/http-error.ts';

export interface ApiOptions {
  /** Address of the API, with a trailing slash. */
  readonly baseUrl: string;
  /** The user token; empty if a proxy adds the credentials. */
  readonly token: () => string;
  /** @default the `fetch` of the browser */
  readonly fetch?: FetchLike;
  /** Called with the time in each response, and when its request was sent. */
  readonly onDate?: (date: string | null, sentAt: number) => void;
}

/** Maximum time for a request, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** Sends requests to the HTTP API with the token of the page. */
export function openApi({ baseUrl, token, fetch: send = fetch, onDate = () => {} }: ApiOptions): HttpCaller {
  const adapter = fetchAdapter(async (url, init) => {
    const sentAt = Date.now();
    const response = await send(url, init);
    onDate(response.headers.get('date'), sentAt);
    return response;
  });
  return new HttpCaller({
    baseUrl: new URL(baseUrl),
    timeoutMs: TIMEOUT_MS,
    get secrets() {
      return [token()];
    },
    background: false,
    headers: (): Record<string, string> => (token() === '' ? {} : { authorization: `Bearer ${token()}` }),
    requestException: (error, { host }) =>
      new LogConnectionException(`${host} could not be reached: ${explanationOf(error)}.`, { cause: error }),
    route: () => ({ adapter, acceptsCa: false }),
  });
}

/** What went wrong: the explanation of the server if there is one. */
export function explanationOf(error: unknown): string {
  if (!(error instanceof LogHTTPException)) return error instanceof Error ? error.message : String(error);
  const isExplained = error.code === 'LOG_HTTP' || error.code === 'LOG_NOT_FOUND';
  return (isExplained && reasonInBody(error.body)) || error.message;
}
