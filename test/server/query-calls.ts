import type { LocalServer } from '../../src/server/index.ts';

export interface Row {
  readonly [field: string]: string | number | undefined;
}

export interface Poll {
  readonly done: boolean;
  readonly cancelled: boolean;
  readonly events: Row[];
  readonly filesUsed: readonly Record<string, unknown>[];
  readonly metaData: {
    readonly eventCount: number;
    readonly isAggregate: boolean;
    readonly pollAfter: number;
    readonly extraData: Record<string, string>;
    readonly filterQuery: Record<string, unknown>;
    readonly queryStart: number;
    readonly queryEnd: number;
    readonly processedEvents: number;
    readonly resultBufferSize: number;
    readonly totalWork: number;
    readonly workDone: number;
    readonly warnings: string[];
  };
}

/** Posts through a socket if the server has a port, with the token that the path needs unless `init` has another. */
export function post(
  server: LocalServer,
  path: string,
  body: string | Uint8Array,
  init: { token?: string; headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  const {
    token = path.startsWith('ingest/') ? server.ingestToken : server.userToken,
    headers,
    signal,
  } = init;
  const ask = server.url === 'http://localhost' ? server.fetch : fetch;
  return ask(`${server.url}/api/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
    signal: signal ?? null,
  });
}

/** Ingests structured events and fails unless they are accepted. */
export async function ingest(
  server: LocalServer,
  events: readonly Record<string, unknown>[],
  tags: Record<string, string> = {},
): Promise<void> {
  const body = JSON.stringify([{ tags, events }]);
  const response = await post(server, 'ingest/humio-structured', body, { token: server.ingestToken });
  const text = await response.text();
  if (response.status !== 200 || text !== '{}') throw new Error(`${response.status}: ${text}`);
}

/** The rows of a streaming query. */
export async function stream(
  server: LocalServer,
  queryString: string,
  options: Record<string, unknown> = {},
): Promise<Row[]> {
  const body = JSON.stringify({ queryString, ...options });
  const response = await post(server, `repositories/${server.repository}/query`, body, {
    headers: { accept: 'application/x-ndjson' },
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

/** Creates a query job and returns its ID. */
export async function createJob(
  server: LocalServer,
  queryString: string,
  options: Record<string, unknown> = {},
): Promise<string> {
  const body = JSON.stringify({ queryString, ...options });
  const response = await post(server, `repositories/${server.repository}/queryjobs`, body);
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}

/** Any call to a job; `parameters` starts with `?`. */
export function callJob(server: LocalServer, id: string, method = 'GET', parameters = ''): Promise<Response> {
  const ask = server.url === 'http://localhost' ? server.fetch : fetch;
  return ask(`${server.url}/api/v1/repositories/${server.repository}/queryjobs/${id}${parameters}`, {
    method,
    headers: { authorization: `Bearer ${server.userToken}` },
  });
}

/** Polls a job once. */
export async function poll(server: LocalServer, id: string, parameters = ''): Promise<Poll> {
  const response = await callJob(server, id, 'GET', parameters);
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as Poll;
}

/** Polls a static job until it is done. */
export async function pollUntilDone(server: LocalServer, id: string, parameters = ''): Promise<Poll> {
  for (;;) {
    const answer = await poll(server, id, parameters);
    if (answer.done || answer.cancelled) return answer;
  }
}

/** Runs a static query as a job until it is done. */
export async function runJob(
  server: LocalServer,
  queryString: string,
  options: Record<string, unknown> = {},
): Promise<Poll> {
  return pollUntilDone(server, await createJob(server, queryString, options));
}
