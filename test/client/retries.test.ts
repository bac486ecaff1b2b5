import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type FetchLike, LogClient, type LogClientOptions, LogIngestClient } from '../../src/index.ts';
import { lawCases } from '../helpers/laws.ts';
import { makeEvents, pollAnswer } from '../helpers/query-answers.ts';

type Call = { readonly maxRetries?: number; readonly timeoutMs?: number; readonly signal?: AbortSignal };

/** How a request ends, each time. */
const ENDINGS: Readonly<Record<string, (signal: AbortSignal) => Response | Promise<never>>> = {
  429: () => new Response('slow down', { status: 429 }),
  503: () => new Response('busy', { status: 503 }),
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
const FINAL = ['a wrong certificate', '500', '400', 'timeout'];

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
};

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
    if (POLL.test(call)) return Response.json(pollAnswer({ events: makeEvents(200), hasMoreEvents: true }));
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
  it.each(lawCases(CASES, 60))(
    'is sent as often as documented: $name, $ending',
    async ({ operation, ending }) => {
      const count = async (options: LogClientOptions, call: Call): Promise<number> => {
        const { client, sent } = failingClient(operation.request, ENDINGS[ending]!, options);
        await operation.run(client, { timeoutMs: ending === 'timeout' ? 5 : 1_000, ...call }).catch(() => {});
        return sent.length;
      };
      const retries = retriesOf(operation, ending);
      expect(await count({}, {})).toBe(1 + retries);
      expect(await count({ maxRetries: 3 }, {})).toBe(retries === 0 ? 1 : 4);
      expect(await count({ maxRetries: 3 }, { maxRetries: 1 })).toBe(
        retriesOf({ ...operation, retries: 1 }, ending) + 1,
      );
      expect(await count({}, { maxRetries: 0 })).toBe(1);
    },
  );
});

describe('Retries', () => {
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
