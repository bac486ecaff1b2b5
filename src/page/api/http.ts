/** A response that is not 2xx. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface ApiOptions {
  /** Where the API is, with a trailing slash. */
  readonly baseUrl: string;
  /** The user token; empty if a proxy adds the credentials. */
  readonly token: () => string;
  readonly fetch?: typeof fetch;
}

/** Sends requests to the HTTP API with the token of the page. */
export class Http {
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  get baseUrl(): string {
    return this.#options.baseUrl;
  }

  /** @throws ApiError for a response that is not 2xx; TypeError if the server can't be reached. */
  async send(method: string, path: string, init: SendOptions = {}): Promise<Response> {
    const { baseUrl, token, fetch: send = fetch } = this.#options;
    const headers: Record<string, string> = { accept: init.accept ?? 'application/json' };
    if (token() !== '') headers.authorization = `Bearer ${token()}`;
    if (init.body !== undefined) headers['content-type'] = 'application/json';
    const response = await send(`${baseUrl}${path}`, {
      method,
      headers,
      body: init.body === undefined ? null : JSON.stringify(init.body),
      signal: init.signal ?? null,
      keepalive: init.keepalive ?? false,
    });
    if (response.ok) return response;
    throw new ApiError(response.status, await errorText(response));
  }

  async json<Result>(method: string, path: string, init?: SendOptions): Promise<Result> {
    return (await this.send(method, path, init)).json() as Promise<Result>;
  }
}

export interface SendOptions {
  readonly body?: unknown;
  readonly accept?: string;
  /** Sends the request even if the page is being closed. */
  readonly keepalive?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The text of an error: LogScale sends plain text, gateways send JSON with a `detail`. */
async function errorText(response: Response): Promise<string> {
  const text = (await response.text()).trim();
  try {
    const { detail, errors } = JSON.parse(text) as { detail?: string; errors?: { message: string }[] };
    return detail ?? errors?.[0]?.message ?? text;
  } catch {
    return text === '' ? `The server responded ${response.status} ${response.statusText}.` : text;
  }
}
