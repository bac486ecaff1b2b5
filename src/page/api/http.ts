/** A response that is not 2xx. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Whether a request that failed can succeed later: the server can't be reached, is busy, or has a problem. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return [408, 425, 429].includes(error.status) || (error.status >= 500 && error.status !== 501);
}

/** A server that is silent for this long, in milliseconds, hangs. It answers polls and keeps live streams alive. */
export const LIVE_SILENCE_MS = 60_000;
/** A query with an aggregate function has no row until it has read all events. */
export const STATIC_SILENCE_MS = 300_000;

/** Limits how long a server may be silent while a request is sent and its response is read. */
export class SilenceLimit {
  readonly #limitMs: number;
  readonly #silence = new AbortController();
  /** Aborts the request: with the signal of the caller, or after a silence. */
  readonly signal: AbortSignal;

  constructor(limitMs: number, caller?: AbortSignal) {
    this.#limitMs = limitMs;
    this.signal = AbortSignal.any([this.#silence.signal, ...(caller === undefined ? [] : [caller])]);
  }

  /** The result of a wait for the server. @throws Error if the server is silent for too long */
  async of<Result>(result: Promise<Result>): Promise<Result> {
    const { signal } = this.#silence;
    const message = `The server has sent nothing for ${this.#limitMs / 1000} s`;
    const timer = setTimeout(() => this.#silence.abort(new Error(message)), this.#limitMs);
    try {
      return await result;
    } catch (error) {
      // Some browsers replace the reason of the signal.
      throw signal.aborted ? signal.reason : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The text of a response, in the parts in which it arrives. */
  async *textOf(response: Response): AsyncGenerator<string> {
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    while (reader !== undefined) {
      const { value, done } = await this.of(reader.read());
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
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

  /** @throws like {@link send}, and Error if the server is silent for too long */
  async json<Result>(method: string, path: string, init: JsonOptions = {}): Promise<Result> {
    const limit = new SilenceLimit(init.silenceMs ?? LIVE_SILENCE_MS, init.signal);
    const response = await limit.of(this.send(method, path, { ...init, signal: limit.signal }));
    let text = '';
    for await (const part of limit.textOf(response)) text += part;
    return JSON.parse(text);
  }
}

export interface SendOptions {
  readonly body?: unknown;
  readonly accept?: string;
  /** Sends the request even if the page is being closed. */
  readonly keepalive?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface JsonOptions extends SendOptions {
  /** How long the server may be silent. @default LIVE_SILENCE_MS */
  readonly silenceMs?: number;
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
