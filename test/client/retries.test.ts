import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CallOptions } from '../../src/core/http/call-options.ts';
import {
  type FetchLike,
  LogClient,
  type LogClientOptions,
  LogHTTPException,
  LogIngestClient,
  type RequestReport,
} from '../../src/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { holdTimers } from '../helpers/hand-timers.ts';
import { lawCases } from '../helpers/laws.ts';
import { makeEvents, pollAnswer } from '../helpers/query-answers.ts';

type Call = Pick<CallOptions, 'headers' | 'maxRetries' | 'signal' | 'timeoutMs'>;

/** How a request ends, each time. */
const ENDINGS: Readonly<Record<string, (signal: AbortSignal) => Response | Promise<never>>> = {
  429: () => new Response('slow down', { status: 429 }),
  'a Retry-After beyond timeoutMs': () => slowDown(2),
  502: () => new Response('no response', { status: 502 }),
  503: () => new Response('busy', { status: 503 }),
  504: () => new Response('too late', { status: 504 }),
  'a body that breaks off': () =>
    new Response(new ReadableStream({ pull: (body) => body.error(new Error('cut')) })),
  reset: () => Promise.reject(failed('ECONNRESET')),
  refused: () => Promise.reject(failed('ECONNREFUSED')),
  'no such host': () => Promise.reject(failed('ENOTFOUND')),
  'a wrong certificate': () => Promise.reject(failed('UNABLE_TO_VERIFY_LEAF_SIGNATURE')),
  500: () => new Response('the query failed', { status: 500 }),
  400: () => new Response('bad', { status: 400 }),
  timeout: (signal) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
};
/** The service has not run the request. */
const UNSENT = ['429', 'refused', 'no such host'];
/** The service may have run it. */
const LOST = ['502', '504', 'a body that breaks off', 'reset', 'timeout'];
const FINAL = ['a Retry-After beyond timeoutMs', 'a wrong certificate', '500', '400', 'timeout'];

interface Operation {
  /** What fails: `POST queryjobs`, and so on. */
  readonly request: RegExp;
  readonly retries: number;
  readonly isChange?: boolean;
  /** Whether the body is read after the call has succeeded. */
  readonly isStream?: boolean;
  run(client: LogClient, call: Call): Promise<unknown>;
}

const CREATE = /^POST .*queryjobs$/;
const POLL = /^GET .*queryjobs/;
const GRAPHQL = /graphql$/;
const READ = { request: GRAPHQL, retries: 2 };
const CHANGE = { retries: 2, isChange: true };

const OPERATIONS: Readonly<Record<string, Operation>> = {
  query: { request: CREATE, retries: 2, run: (client, call) => client.query('*', call) },
  'poll of query': { request: POLL, retries: 4, run: (client, call) => client.query('*', call) },
  'page of query': {
    request: /^POST .*queryjobs .*around/,
    retries: 4,
    run: (client, call) => client.query('*', { limit: 400, ...call }),
  },
  streamingQuery: {
    request: /query$/,
    retries: 2,
    isStream: true,
    run: (client, call) => client.streamingQuery('*', call).next(),
  },
  'live streamingQuery': {
    request: /query$/,
    retries: 2,
    isStream: true,
    run: (client, call) => client.streamingQuery('*', { isLive: true, ...call }).next(),
  },
  'tail with last': {
    request: CREATE,
    retries: 2,
    run: (client, call) => client.tail('*', { last: 1, ...call }).next(),
  },
  watch: { request: CREATE, ...CHANGE, run: (client, call) => client.watch('*', call).next() },
  'static job': { request: CREATE, retries: 2, run: (client, call) => client.createQueryJob('*', call) },
  'live job': {
    request: CREATE,
    ...CHANGE,
    run: (client, call) => client.createQueryJob('*', { isLive: true, ...call }),
  },
  peek: { request: POLL, retries: 4, run: (client, call) => client.queryJob('id').peek(call) },
  'delete of a job': {
    request: /^DELETE/,
    retries: 1,
    run: (client, call) => client.queryJob('id').delete(call),
  },
  getStatus: { request: /status$/, retries: 2, run: (client, call) => client.getStatus(call) },
  getFile: { request: /^GET .*files/, retries: 2, run: (client, call) => client.getFile('a.csv', call) },
  listSavedQueries: { ...READ, run: (client, call) => client.listSavedQueries(call) },
  getFileContent: { ...READ, run: (client, call) => client.getFileContent('a.csv', call) },
  validateQuery: { ...READ, run: (client, call) => client.validateQuery('*', call) },
  createSavedQuery: {
    request: GRAPHQL,
    ...CHANGE,
    run: (client, call) => client.createSavedQuery('a', '*', call),
  },
  deleteFile: { request: GRAPHQL, ...CHANGE, run: (client, call) => client.deleteFile('a.csv', call) },
  uploadFile: {
    request: /files$/,
    ...CHANGE,
    run: (client, call) => client.uploadFile({ name: 'a.csv', content: '' }, call),
  },
  deleteUserById: {
    request: /^DELETE .*users/,
    ...CHANGE,
    run: (client, call) => client.deleteUserById('u', call),
  },
  ingestJsonData: { request: /ingest$/, ...CHANGE, run: (client, call) => client.ingestJsonData([], call) },
  ingestMessages: {
    request: /ingest-messages$/,
    ...CHANGE,
    run: (client, call) => client.ingestMessages(['a'], call),
  },
  'callRest to read': {
    request: /status$/,
    retries: 2,
    isStream: true,
    run: (client, call) => client.webCaller.callRest('get', 'status', call),
  },
  'callRest to change': {
    request: /status$/,
    ...CHANGE,
    isStream: true,
    run: (client, call) => client.webCaller.callRest('POST', 'status', call),
  },
  'callGraphql to read': {
    ...READ,
    run: (client, call) => client.webCaller.callGraphql({ query: '{ a }', ...call }),
  },
  'callGraphql to change': {
    request: GRAPHQL,
    ...CHANGE,
    run: (client, call) => client.webCaller.callGraphql({ data: { query: 'mutation { a }' }, ...call }),
  },
};

function slowDown(seconds: number): Response {
  return new Response('', { status: 429, headers: { 'retry-after': String(seconds) } });
}

function failed(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** A client whose requests that match `request` end like this, and the number of these requests. */
function failingClient(
  request: RegExp,
  ending: (signal: AbortSignal) => Response | Promise<never>,
  options: LogClientOptions = {},
) {
  const sent: string[] = [];
  const fetch = async (url: string, init: Parameters<FetchLike>[1]): Promise<Response> => {
    const call = `${init.method} ${url}${/around/.test(String(init.body)) ? ' around' : ''}`;
    if (request.test(call)) {
      sent.push(call);
      return ending(init.signal);
    }
    if (CREATE.test(call)) return Response.json({ id: 'id' });
    if (call.endsWith('around')) return Response.json({ id: 'page' });
    // The page before the first event has only that one.
    const events = makeEvents(call.endsWith('/page') ? 1 : 200);
    if (POLL.test(call)) return Response.json(pollAnswer({ events, hasMoreEvents: true }));
    return new Response(null, { status: 204 });
  };
  const client = new LogClient({
    baseUrl: 'http://nowhere',
    repository: 'r',
    userToken: 't',
    fetch,
    ...options,
  });
  return { client, sent };
}

/** How often an operation is retried. */
function retriesOf({ retries, isChange = false }: Operation, ending: string): number {
  if (FINAL.includes(ending) || (isChange && !UNSENT.includes(ending))) return 0;
  return retries;
}

const CASES = Object.entries(OPERATIONS).flatMap(([name, operation]) =>
  Object.keys(ENDINGS)
    .filter((ending) => !(operation.isStream && ending === 'a body that breaks off'))
    .map((ending) => ({ name, operation, ending })),
);

beforeEach(() => {
  // Retries without a requested delay follow immediately.
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  return () => random.mockRestore();
});

describe('A request that always fails', () => {
  it.each(lawCases(CASES, 30))(
    'is sent as often as documented: $name, $ending',
    async ({ operation, ending }) => {
      const count = async (options: LogClientOptions, call: Call): Promise<number> => {
        const { client, sent } = failingClient(operation.request, ENDINGS[ending]!, options);
        await operation.run(client, call).catch(() => {});
        return sent.length;
      };
      const retries = retriesOf(operation, ending);
      const timeoutMs = ending === 'timeout' ? 5 : 1_000;
      expect(await count({}, { timeoutMs })).toBe(1 + retries);
      expect(await count({ maxRetries: 3, timeoutMs }, {})).toBe(retries === 0 ? 1 : 4);
      expect(await count({ maxRetries: 3, timeoutMs }, { maxRetries: 1 })).toBe(
        retriesOf({ ...operation, retries: 1 }, ending) + 1,
      );
      expect(await count({ timeoutMs }, { maxRetries: 0 })).toBe(1);
    },
  );

  it.each(lawCases(CASES, 30))(
    'says that the service may have applied it if it is a change without a response: $name, $ending',
    async ({ operation, ending }) => {
      const { client } = failingClient(operation.request, ENDINGS[ending]!, { timeoutMs: 5 });
      const error = await operation.run(client, { maxRetries: 0 }).catch((error: Error) => error);
      const { message = '', stack = '' } = error instanceof Error ? error : {};
      const isDoubtful = operation.isChange === true && LOST.includes(ending);
      expect(/may have applied the request: check/.test(message)).toBe(isDoubtful);
      expect(stack).toContain(message);
    },
  );
});

it.each([
  [502, true],
  [503, false],
  [504, true],
])('A change that a gateway answers with status %i may have been applied: %s', async (status, isDoubtful) => {
  const { client } = failingClient(/files$/, ENDINGS[status]!);
  const upload = client.uploadFile({ name: 'a.csv', content: 'a' });
  const error = await upload.catch(({ message }: Error) => message);
  expect(/check before you repeat it\.$/.test(String(error))).toBe(isDoubtful);
});

describe('Retries', () => {
  it.each(lawCases(Object.entries(OPERATIONS), 6))(
    'wait as long as Retry-After says: %s',
    async (_, operation) => {
      const timers = holdTimers(40_000);
      let requests = 0;
      const { client } = failingClient(operation.request, () =>
        requests++ === 0 ? slowDown(40) : new Response('bad', { status: 400 }),
      );
      const running = operation.run(client, {}).catch(() => {});
      await timers.fire();
      await running;
      expect(requests).toBe(2);
    },
  );

  it('wait for Retry-After, until the call is aborted', async () => {
    const controller = new AbortController();
    const { client, sent } = failingClient(/status$/, () => {
      setImmediate(() => controller.abort(new Error('enough')));
      return new Response('', { status: 429, headers: { 'retry-after': '100' } });
    });
    await expect(client.getStatus({ signal: controller.signal })).rejects.toThrow('enough');
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['301', undefined],
    ['1', 900],
  ])(
    'end with the error if Retry-After: %s is longer than five minutes or timeoutMs (%s)',
    async (after, timeoutMs) => {
      const { client, sent } = failingClient(
        /status$/,
        () => new Response('', { status: 429, headers: { 'retry-after': after } }),
      );
      await expect(client.getStatus({ timeoutMs })).rejects.toMatchObject({
        statusCode: 429,
        retryAfterMs: Number(after) * 1_000,
        message: expect.stringContaining(`The service asks to wait ${after} s.`),
      });
      expect(sent).toHaveLength(1);
    },
  );

  it('are not made for a service that reports being down', async () => {
    const { client, sent } = failingClient(/status$/, () =>
      Response.json({ status: 'WARN' }, { status: 503 }),
    );
    expect(await client.getStatus()).toEqual({ status: 'WARN' });
    expect(sent).toHaveLength(1);
  });

  it('create no job after the call is aborted', async () => {
    const controller = new AbortController();
    const { client, sent } = failingClient(CREATE, () => {
      controller.abort(new Error('enough'));
      return new Response('', { status: 503 });
    });
    await expect(client.query('*', { signal: controller.signal })).rejects.toThrow('enough');
    expect(sent).toHaveLength(1);
  });

  it.each([-1, 1.5, '2'])('reject maxRetries: %j', async (value) => {
    const maxRetries = value as number;
    const message = '"maxRetries" must be';
    expect(() => new LogClient({ repository: 'r', userToken: 't', maxRetries })).toThrow(message);
    expect(() => new LogIngestClient({ ingestToken: 't', maxRetries })).toThrow(message);
    const { client } = failingClient(/nothing/, ENDINGS[503]!);
    await expect(client.getStatus({ maxRetries })).rejects.toThrow(message);
  });
});

describe('onRequest', () => {
  const IDS = { 'x-cs-traceid': 'trace-1', 'humio-query-id': 'IQ-1' };

  it('receives each attempt once after its end, without the token and the query string', async () => {
    const reports: RequestReport[] = [];
    let calls = 0;
    const { client } = failingClient(
      /status|users|query$/,
      () => {
        if (calls++ === 0) return Promise.reject(failed('ECONNRESET'));
        if (calls === 2) return ENDINGS['a body that breaks off']!(new AbortController().signal);
        return Response.json([], { status: calls === 3 ? 503 : 200, headers: IDS });
      },
      { onRequest: (report) => reports.push(report), userToken: 'SecretToken' },
    );
    await client.webCaller
      .retry({}, async (call) =>
        (await client.webCaller.callRest('GET', 'users', { ...call, query: { a: 'b' } })).json(),
      )
      .catch(() => {});
    await client.webCaller.callRest('POST', 'query', { stream: true });
    await client.queryJob('7-job', { session: 's' }).delete();
    await client.getStatus({ signal: AbortSignal.abort() }).catch(() => {});
    const users = { method: 'GET', path: '/api/v1/users' };
    const ids = { requestId: 'trace-1', queryId: 'IQ-1' };
    expect(reports.map(({ durationMs, ...report }) => report)).toEqual([
      { ...users, attempt: 1, code: 'LOG_CONNECTION' },
      { ...users, attempt: 2, statusCode: 200, code: 'LOG_CONNECTION_DROPPED' },
      { ...users, attempt: 3, statusCode: 503, ...ids },
      { method: 'POST', path: '/api/v1/query', attempt: 1, statusCode: 200, ...ids },
      {
        method: 'DELETE',
        path: '/api/v1/repositories/r/queryjobs/7-job',
        attempt: 1,
        statusCode: 204,
        queryId: '7-job',
      },
      { method: 'GET', path: '/api/v1/status', attempt: 1, code: 'ABORTED' },
    ]);
    expect(reports.every(({ durationMs }) => durationMs >= 0)).toBe(true);
    expect(JSON.stringify(reports)).not.toContain('SecretToken');
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('hook');
      },
    ],
    ['rejects', () => Promise.reject(new Error('hook'))],
  ])('breaks nothing if it %s', async (_, onRequest) => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    const { client } = failingClient(/status$/, () => Response.json({ status: 'OK' }), { onRequest });
    expect(await client.getStatus()).toEqual({ status: 'OK' });
    await eventually(() => expect(warn).toHaveBeenCalledWith(expect.any(String), 'LogclientHookWarning'));
  });

  it('must be a function', () => {
    const onRequest = 'x' as unknown as () => void;
    expect(() => new LogIngestClient({ ingestToken: 't', onRequest })).toThrow('"onRequest" must be');
  });
});

describe('The IDs of the query and of the request', () => {
  const HEADERS = { 'x-request-id': 'request-1' };
  const failWith = (respond: () => Response, request = POLL) => failingClient(request, respond).client;

  it.each([
    ['status 500', () => new Response('failed', { status: 500, headers: HEADERS })],
    ['an expired job', () => new Response('', { status: 404, headers: HEADERS })],
    ['a canceled job', () => Response.json({ cancelled: true }, { headers: HEADERS })],
    ['a bad answer', () => Response.json({}, { headers: HEADERS })],
  ])('are in the error of a poll: %s', async (_, respond) => {
    const ids = { queryId: 'id', requestId: 'request-1' };
    await expect(failWith(respond).query('*')).rejects.toMatchObject(ids);
  });

  it.each([
    ['that is not JSON', () => 'Internal error\n'],
    ['that is cut', () => '{"a":'],
    [
      'of a connection that drops',
      () => new ReadableStream({ pull: (body) => body.error(new Error('cut')) }),
    ],
  ])('are in the error of a stream with a line %s', async (_, body) => {
    const headers = { 'humio-query-id': 'IQ-1', ...HEADERS };
    const client = failWith(() => new Response(body(), { headers }), /query$/);
    await expect(client.streamingQuery('*').next()).rejects.toMatchObject({
      queryId: 'IQ-1',
      requestId: 'request-1',
    });
  });

  it('are in the results of a job, of each page its own', async () => {
    const answer = pollAnswer({ events: makeEvents(1), hasMoreEvents: true });
    const client = failWith(() => Response.json({ ...answer, id: 'page' }), /^GET .*queryjobs| around$/);
    const job = await client.createQueryJob('*');
    expect((await job.poll()).queryId).toBe('id');
    expect((await job.poll()).queryId).toBe('page');
  });

  it('are no members of an error without them', () => {
    expect(Object.keys(new LogHTTPException('x'))).not.toContain('queryId');
  });
});

it('A background deletion that fails in any way is not an unhandled rejection', async () => {
  const { client, sent } = failingClient(/^DELETE/, () => Response.json({}, { status: 500 }));
  const { webCaller } = client;
  const readRest = vi.spyOn(webCaller, 'readRest').mockImplementation((verb, ...rest) => {
    if (verb === 'DELETE') return Promise.reject(new TypeError('a bug'));
    readRest.mockRestore();
    return webCaller.readRest(verb, ...rest);
  });
  await client.queryJob('id')[Symbol.asyncDispose]();
  expect(sent).toEqual([]);
});

describe('The job of a call', () => {
  it.each<[string, (client: LogClient, call: Call) => Promise<unknown>]>([
    ['query()', (client, call) => client.query('*', { limit: 1, ...call })],
    ['query() with pages', (client, call) => client.query('*', { limit: 400, ...call })],
    ['watch()', (client, call) => first(client.watch('*', call))],
    ['waitFor()', (client, call) => client.waitFor('*', 1, call)],
    ['tail() with last', (client, call) => first(client.tail('*', { last: 1, ...call }))],
    [
      'a query that is aborted',
      (client, call) => {
        const controller = new AbortController();
        const query = client.query('*', { signal: controller.signal, ...call });
        setImmediate(() => controller.abort());
        return query.catch(() => {});
      },
    ],
  ])('is deleted with the headers and maxRetries of the call: %s', async (_, run) => {
    const { client, sent } = failingClient(/nothing/, ENDINGS[503]!);
    const deletions = vi.spyOn(client.webCaller, 'readRest');
    const call = { headers: { 'x-tenant': 'a' }, maxRetries: 0 };
    await run(client, call);
    const deleted = (): unknown[] =>
      deletions.mock.calls.filter(([verb]) => verb === 'DELETE').map(([, , options]) => options);
    await eventually(() => expect(deleted()).not.toEqual([]));
    for (const options of deleted()) {
      expect(options).toMatchObject({ headers: { 'x-tenant': 'a' }, maxRetries: 0 });
    }
    expect(sent).toEqual([]);
  });
});

async function first(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of rows) break;
}
