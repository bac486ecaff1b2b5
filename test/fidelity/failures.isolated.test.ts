import { describe, expect, it } from 'vitest';
import type { LogClient } from '../../src/client/log-client.ts';
import {
  LogConnectionDroppedException,
  LogConnectionException,
  LogHTTPException,
  LogTimeoutException,
} from '../../src/core/errors.ts';
import { collect } from '../helpers/collect.ts';
import { lawCases } from '../helpers/laws.ts';
import { CARRIERS, connect, TOKEN } from './carriers.ts';
import { stopTime } from './fake-time.ts';
import { graphql, graphqlErrors, json, page, textError } from './replies.ts';
import type { Reply, Turn } from './service-script.ts';

const STATUS = 'GET /api/v1/status';
const NO_BODY: Reply = { status: 503, headers: {}, body: [] };

/** A call of each kind, and its path. */
const CALLS: readonly (readonly [string, (client: LogClient) => Promise<unknown>])[] = [
  [STATUS, (client) => client.getStatus()],
  ['POST /graphql', (client) => client.listRepositories()],
  ['POST /api/v1/repositories/sandbox/queryjobs', (client) => client.createQueryJob('*')],
  ['POST /api/v1/repositories/sandbox/query', (client) => collect(client.streamingQuery('*'))],
  ['POST /api/v1/repositories/sandbox/ingest', (client) => client.ingestJsonData([])],
  ['GET /api/v1/repositories/sandbox/files/a.csv', (client) => client.getFile('a.csv')],
];

describe.each(lawCases(CARRIERS, 3))('Failures over $name', (carrier) => {
  const itInPieces = it.skipIf(!carrier.can.includes('pieces'));
  const itCuts = it.skipIf(!carrier.can.includes('cuts'));

  async function failure(call: string, run: (client: LogClient) => Promise<unknown>, turn: Turn) {
    const { client, calls } = await connect(carrier, { [call]: [turn] }, { maxRetries: 0 });
    const error = await run(client).then(
      () => new Error('It did not fail.'),
      (caught: unknown) => caught as LogHTTPException,
    );
    expect(calls()).toEqual([call]);
    expect(`${error.message}${error.stack}`).not.toContain(TOKEN);
    return error;
  }

  describe.each(CALLS)('%s', (call, run) => {
    it.each([301, 302, 303, 307, 308])('does not follow a redirect with status %i', async (status) => {
      const location = 'https://login.example.com/start?back=secret';
      const error = await failure(call, run, { status, headers: { location }, body: [] });
      expect(error).toMatchObject({ code: 'LOG_WRONG_BASE_URL', statusCode: status });
      expect(error.message).toContain('to https://login.example.com/start. Redirects are not followed');
      expect(error.message).not.toContain('secret');
    });

    it('reports a web page with status 200 as LOG_WRONG_BASE_URL', async () => {
      const error = await failure(call, run, page(200, 'Sign in'));
      expect(error).toMatchObject({ code: 'LOG_WRONG_BASE_URL', statusCode: 200 });
      expect(error.message).toContain('web page (status 200)');
    });

    it.each([502, 503, 504])(
      'leaves the web page of a proxy with status %i out of the message',
      async (status) => {
        const error = await failure(call, run, page(status, 'Out of order'));
        expect(error).toMatchObject({ code: 'LOG_HTTP', statusCode: status });
        expect(error.message).toMatch(
          new RegExp(
            `^\\S+ \\S+ failed with status ${status}\\.( The service may have applied the request: .+)?$`,
          ),
        );
      },
    );

    it("includes the service's message for a revoked token and redacts the token", async () => {
      const error = await failure(call, run, textError(401, `no such token: ${TOKEN}\n`));
      expect(error).toMatchObject({ code: 'LOG_HTTP', statusCode: 401 });
      expect(error.message).toContain('with status 401: no such token: [redacted]');
    });

    it('reports a connection that is reset before the response', async () => {
      const error = await failure(call, run, 'reset');
      expect(error).toBeInstanceOf(LogConnectionException);
      expect(error).not.toBeInstanceOf(LogConnectionDroppedException);
      expect(error.message).toMatch(/closed the connection before responding \(ECONNRESET\)/);
    });

    it('times out if the service does not respond within 30 s', async () => {
      const time = stopTime();
      const { client } = await connect(carrier, { [call]: ['silence'] });
      let isOver = false;
      const failing = run(client)
        .catch((caught: unknown) => caught)
        .finally(() => (isOver = true));
      await time.skip(30_000, () => Number(isOver));
      expect(await failing).toBeInstanceOf(LogTimeoutException);
    });
  });

  itInPieces('getStatus() times out if the body stops arriving', async () => {
    const { client } = await connect(
      carrier,
      { [STATUS]: [{ ...json({}), body: ['{"status":'], ending: 'silence' }] },
      { timeoutMs: 60 },
    );
    await expect(client.getStatus()).rejects.toBeInstanceOf(LogTimeoutException);
  });

  itCuts('getStatus() throws a LogConnectionDroppedException if the response breaks off', async () => {
    const cut = { ...json({}), body: ['{"status":'], ending: 'reset' } as const;
    const error = await failure(STATUS, (client) => client.getStatus(), cut);
    expect(error).toBeInstanceOf(LogConnectionDroppedException);
  });

  itCuts(
    'getStatus() throws a LogConnectionDroppedException if the body is shorter than Content-Length',
    async () => {
      const headers = { 'content-type': 'application/json', 'content-length': '40' };
      const short = { status: 200, headers, body: ['{"status":"OK"}'], ending: 'reset' } as const;
      const error = await failure(STATUS, (client) => client.getStatus(), short);
      expect(error).toBeInstanceOf(LogConnectionDroppedException);
    },
  );

  it.each([
    [
      'plain text',
      textError(403, 'not authorized to access this resource'),
      ': not authorized to access this resource',
    ],
    ['JSON with a detail', json({ detail: 'not for you' }, 403), ': not for you'],
    ['JSON with errors', json({ errors: [{ message: 'a' }, 'b'] }, 403), ': a; b'],
    ['JSON that is cut', { ...json({}, 403), body: ['{"detail": "no'] }, ': {"detail": "no'],
    ['JSON of an unknown form', json({ why: 1 }, 403), ': {"why":1}'],
    ['nothing', textError(403, ''), '.'],
  ])('getStatus() reads the reason of an error from %s', async (_, reply: Reply, end) => {
    const error = await failure(STATUS, (client) => client.getStatus(), reply);
    expect(error.message).toMatch(/^GET [\w.]+:?\d*\/api\/v1\/status failed with status 403/);
    expect(error.message.endsWith(`status 403${end}`)).toBe(true);
  });

  it.each([
    ['text', textError(200, 'OK')],
    ['half of it', { ...json({}), body: ['{"status":"O'] }],
    ['nothing', textError(200, '')],
  ])('getStatus() rejects %s instead of JSON', async (_, reply: Reply) => {
    const error = await failure(STATUS, (client) => client.getStatus(), reply);
    expect(error).toMatchObject({ code: 'LOG_BAD_ANSWER', statusCode: 200 });
  });

  it('getStatus() reports the status of a 503 without a body', async () => {
    const error = await failure(STATUS, (client) => client.getStatus(), NO_BODY);
    expect(error.message).toMatch(/^GET [\w.]+:?\d*\/api\/v1\/status failed with status 503\.$/);
  });

  describe('GraphQL', () => {
    const NAMELESS = 'The service rejected a GraphQL request without a message';
    const asked = (reply: Reply) =>
      failure('POST /graphql', (client) => client.createSavedQuery('x1', '*'), reply);

    it.each([
      ['alone', null],
      ['beside a part of the data', { createSavedQuery: null }],
    ])('throws the errors of a response with status 200: %s', async (_, data) => {
      const error = await asked(
        graphqlErrors(
          [
            {
              message: 'No saved query with id "x1"',
              path: ['createSavedQuery'],
              locations: [{ line: 1, column: 50 }],
              extensions: { code: 7 },
              state: { id: 'not found' },
            },
            { message: 'The script is invalid', state: { script: 'line 1, expected a step' } },
          ],
          data,
        ),
      );
      expect(error).toBeInstanceOf(LogHTTPException);
      expect(error).toMatchObject({ code: 'LOG_GRAPHQL', statusCode: 200 });
      expect(error.message).toBe(
        'No saved query with id "x1"; The script is invalid (script: line 1, expected a step)',
      );
    });

    it('throws errors without a message, too', async () => {
      const error = await asked(json({ data: null, errors: [{ extensions: {} }, null] }));
      expect(error.message).toBe(`${NAMELESS}; ${NAMELESS}`);
    });

    it.each([null, []])('treats errors of %j as no errors', async (errors) => {
      const { client } = await connect(carrier, {
        'POST /graphql': [json({ data: { deleteSavedQuery: { result: true } }, errors })],
      });
      expect(await client.deleteSavedQuery('x1')).toBe(true);
    });

    it.each([[{}], [null], [{ data: null }], [[]]])('rejects the response %j', async (answer) => {
      const error = await asked(json(answer));
      expect(error).toMatchObject({ code: 'LOG_GRAPHQL', body: JSON.stringify(answer) });
      expect(error.message).toContain('neither data nor errors');
    });

    it('rejects a response that is not JSON', async () => {
      expect(await asked(textError(200, 'OK'))).toMatchObject({ code: 'LOG_BAD_ANSWER' });
    });

    it('includes the errors in a 400 response', async () => {
      const error = await asked(json({ errors: [{ message: 'Syntax error at line 1' }] }, 400));
      expect(error).toMatchObject({ code: 'LOG_HTTP', statusCode: 400 });
      expect(error.message).toContain('Syntax error at line 1');
    });

    it('throws LOG_NOT_FOUND for a missing repository', async () => {
      const run = (client: LogClient) => client.listFiles();
      const error = await failure('POST /graphql', run, graphql({ searchDomain: null }));
      expect(error).toMatchObject({ code: 'LOG_NOT_FOUND' });
    });
  });
});
