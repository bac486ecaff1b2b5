import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  LogConnectionDroppedException,
  LogConnectionException,
  LogHTTPException,
  LogOptionsException,
  LogTimeoutException,
} from '../../../src/core/errors.ts';
import { WebCaller } from '../../../src/core/http/node/web-caller.ts';
import { path } from '../../../src/core/http/path.ts';
import { LogClient, LogIngestClient } from '../../../src/index.ts';
import { closedPort } from '../../helpers/closed-port.ts';
import { eventually } from '../../helpers/eventually.ts';
import { holdTimers } from '../../helpers/hand-timers.ts';
import { sendJson, sendText, startService } from '../../helpers/http-service.ts';
import { REALMS } from '../../helpers/other-realm.ts';

const TOKEN = 'AbCdEfGhIjKlMnOpQrStUvWx~0123456789';

function callerFor(url: string, options: object = {}): WebCaller {
  return new WebCaller(url, { headers: { authorization: `Bearer ${TOKEN}` }, ...options });
}

async function failure(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => {
      throw new Error('It did not fail.');
    },
    (error: Error) => error,
  );
}

function everythingVisible(error: Error): string {
  return [
    error.message,
    error.stack,
    inspect(error, { depth: 10, showHidden: true }),
    JSON.stringify(error),
    inspect(error.cause, { depth: 10, showHidden: true }),
  ].join('\n');
}

describe('callRest()', () => {
  it.each(['', '/', '/some/prefix', '/some/prefix/'])(
    'appends its path to a base URL that ends in %j',
    async (end) => {
      const service = await startService((_, response) => sendJson(response, { ok: true }));
      const response = await callerFor(service.url + end).callRest('get', 'status');
      expect(await response.json()).toEqual({ ok: true });
      expect(service.calls).toEqual([`GET ${end.replace(/\/$/, '')}/api/v1/status`]);
    },
  );

  it.each([() => 1, Symbol('x'), { size: 1n }])(
    'refuses data that JSON has no text for: %s',
    async (data) => {
      const service = await startService((_, response) => sendJson(response, {}));
      const error = await failure(callerFor(service.url).callRest('POST', 'x', { data }));
      expect(error).toBeInstanceOf(LogOptionsException);
      expect(error.message).toMatch(/^callRest: "data" can't be serialized as JSON \((got a |Do not know)/);
      expect(service.requests).toEqual([]);
    },
  );

  it('sends bytes of another realm unchanged, as a Buffer is in jest-environment-jsdom', async () => {
    const service = await startService((_, response) => sendJson(response, {}));
    const data = runInNewContext('new Uint8Array([91, 93])');
    expect(data).not.toBeInstanceOf(Uint8Array);
    await callerFor(service.url).callRest('POST', 'x', { data });
    expect(service.requests[0]?.text).toBe('[]');
  });

  it('sends escaped names as one path segment', async () => {
    const service = await startService((_, response) => sendJson(response, {}));
    const endpoint = path`repositories/${'a/../b'}/files/${'50% of %2e%2e.csv'}`;
    await (await callerFor(service.url).callRest('GET', endpoint)).bytes();
    expect(service.calls).toEqual(['GET /api/v1/repositories/a%2F..%2Fb/files/50%25%20of%20%252e%252e.csv']);
  });

  it('rejects an endpoint outside of the API', async () => {
    const caller = callerFor('http://localhost:1');
    await expect(caller.callRest('GET', '../../admin')).rejects.toThrow(LogOptionsException);
    await expect(caller.callRest('GET', '%2e%2e/admin')).rejects.toThrow('is outside the API');
    for (const method of ['callRest', 'callPath'] as const) {
      const call: (...args: unknown[]) => Promise<unknown> = caller[method].bind(caller) as never;
      await expect(call('GET', 'status', {}, { 'x-id': '1' })).rejects.toThrow(
        `${method}: the last argument must be the third one, with the options: { headers, data, … } (got an object).`,
      );
    }
  });

  it("sends JSON with the client's headers and the call's headers, which take precedence", async () => {
    const service = await startService((_, response) => sendJson(response, {}));
    const caller = callerFor(service.url, { headers: { 'X-One': 'a', 'X-Two': 'b' } });
    const response = await caller.callRest('POST', 'x', {
      data: { a: [1] },
      headers: { 'x-two': 'c' },
      query: { page: 2, text: 'a b&c', none: undefined },
    });
    await response.bytes();
    const [request] = service.requests;
    expect(request?.json()).toEqual({ a: [1] });
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-one': 'a',
      'x-two': 'c',
    });
    expect(Object.fromEntries(request?.query ?? [])).toEqual({ page: '2', text: 'a b&c' });
  });

  it('sends strings and bytes unchanged', async () => {
    const service = await startService((_, response) => sendJson(response, {}));
    const caller = callerFor(service.url);
    await (await caller.callRest('POST', 'x', { data: 'plain é' })).bytes();
    await (await caller.callRest('POST', 'x', { data: new Uint8Array([0, 255, 10]) })).bytes();
    expect(service.requests.map(({ body }) => [...body])).toEqual([
      [...Buffer.from('plain é')],
      [0, 255, 10],
    ]);
  });

  it('sends files byte for byte, with any name', async () => {
    const service = await startService((_, response) => sendText(response, 200, ''));
    const content = new Uint8Array(70_000).map((_, index) => index % 256);
    await (
      await callerFor(service.url).callRest('POST', 'files', { files: [{ name: 'a "b" é.csv', content }] })
    ).bytes();
    const [request] = service.requests;
    const form = await new Response(new Uint8Array(request?.body ?? []), {
      headers: { 'content-type': request?.headers['content-type'] ?? '' },
    }).formData();
    const file = form.get('file') as File;
    expect(file.name).toBe('a "b" é.csv');
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(content);
  });

  it('reuses connections after responses have been read', async () => {
    const ports = new Set<number | undefined>();
    const service = await startService((_, response) => {
      ports.add(response.socket?.remotePort);
      sendJson(response, { some: 'body' });
    });
    const caller = callerFor(service.url);
    for (let i = 0; i < 20; i++) await (await caller.callRest('GET', 'status')).json();
    // undici may open a second one, because it releases the first one shortly after the end of the body.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it('allows a body to be read only once', async () => {
    const service = await startService((_, response) => sendJson(response, {}));
    const response = await callerFor(service.url).callRest('GET', 'status');
    await response.text();
    await expect(response.text()).rejects.toThrow('has already been read or discarded');
  });

  it('shows no token when the caller or a response is printed', async () => {
    const service = await startService((_, response) => sendJson(response, {}));
    const caller = callerFor(service.url);
    const response = await caller.callRest('GET', 'status');
    for (const thing of [caller, response]) {
      expect(inspect(thing, { depth: 10, showHidden: true }) + JSON.stringify(thing)).not.toContain(TOKEN);
    }
    response.discard();
  });
});

describe('An error response', () => {
  it("becomes an exception with the service's message, its status, method and path", async () => {
    const text = 'The supplied authentication is not authorized to access this resource';
    const service = await startService((_, response) => sendText(response, 403, text));
    const error = await failure(
      callerFor(`${service.url}/p`).callRest('POST', 'users', { query: { key: 'hidden-key' } }),
    );
    expect(error).toBeInstanceOf(LogHTTPException);
    expect(error).toMatchObject({
      code: 'LOG_HTTP',
      statusCode: 403,
      method: 'POST',
      path: '/p/api/v1/users',
      body: text,
    });
    expect(error.message).toBe(
      `POST ${new URL(service.url).host}/p/api/v1/users failed with status 403: ${text}. If this is an ingest token, use a user token: ingest tokens can only send events.`,
    );
    expect(everythingVisible(error)).not.toContain('hidden-key');
  });

  it.each([
    [{ detail: 'slow down' }, 'slow down'],
    [{ errors: [{ message: 'one' }, 'two'] }, 'one; two'],
    [{ something: 'else' }, '{"something":"else"}'],
  ])('gets its message from JSON: %j', async (body, reason) => {
    const service = await startService((_, response) => sendJson(response, body, 400));
    const error = await failure(callerFor(service.url).callRest('GET', 'x'));
    expect(error.message).toBe(`GET ${new URL(service.url).host}/api/v1/x failed with status 400: ${reason}`);
  });

  it('never shows the token, even if the service repeats it', async () => {
    const service = await startService((request, response) =>
      sendText(
        response,
        401,
        `No user for ${request.headers.authorization} (${TOKEN}, ${request.headers['x-key']})`,
      ),
    );
    const error = await failure(
      callerFor(service.url).callRest('GET', 'x', { headers: { 'x-key': 'another secret' } }),
    );
    expect(error.message).toContain('No user for [redacted] ([redacted], [redacted])');
    expect(everythingVisible(error)).not.toContain(TOKEN);
    expect(everythingVisible(error)).not.toContain('another secret');
  });

  it('never shows part of a token at the end of the excerpt', async () => {
    const service = await startService((_, response) => sendText(response, 400, 'x'.repeat(4_086) + TOKEN));
    const error = await failure(callerFor(service.url).callRest('GET', 'x'));
    expect(everythingVisible(error)).not.toContain(TOKEN.slice(0, 10));
  });

  it('keeps only the start of a large body', async () => {
    const service = await startService((_, response) => sendText(response, 500, 'x'.repeat(1_000_000)));
    const error = await failure(callerFor(service.url).callRest('GET', 'x'));
    expect((error as LogHTTPException).body).toHaveLength(4_096);
    expect(error.message.length).toBeLessThan(1_000);
  });

  it('has the requested delay in retryAfterMs and in its message', async () => {
    const service = await startService((_, response) => {
      response.writeHead(503, { 'retry-after': '7' }).end();
    });
    const error = await failure(callerFor(service.url).callRest('GET', 'x'));
    expect(error).toMatchObject({ statusCode: 503, retryAfterMs: 7_000 });
    expect(error.message).toMatch(
      /^GET .*\/api\/v1\/x failed with status 503\. The service asks to wait 7 s\.$/,
    );
  });

  it('still has its status if its body is cut off', async () => {
    const service = await startService((_, response) => {
      response.writeHead(500, { 'content-length': '100' }).write('half');
      setTimeout(() => response.destroy(), 20);
    });
    expect(await failure(callerFor(service.url).callRest('GET', 'x'))).toMatchObject({ statusCode: 500 });
  });

  it.each([200, 404, 405])('suggests checking baseUrl for a web page with status %i', async (status) => {
    const service = await startService((_, response) => {
      response
        .writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
        .end('<!doctype html><title>Hi</title>');
    });
    const error = await failure(callerFor(service.url).callRest('GET', 'x'));
    expect(error).toMatchObject({ code: 'LOG_WRONG_BASE_URL', statusCode: status });
    expect(error.message).toContain('Check baseUrl and its path prefix');
  });

  it.each([
    ['/prefix/api/v1', 'api/v1/ingest/humio-structured', 405],
    ['/api/v1', 'graphql', 404],
    ['/services/collector/raw', 'services/collector', 404],
  ])(
    'names an API path at the end of baseUrl as the cause of a failure: %s',
    async (end, endpoint, status) => {
      for (const type of ['text/plain', 'text/html']) {
        const service = await startService((_, response) => {
          response.writeHead(status, { 'content-type': type }).end('Not Found');
        });
        const error = await failure(callerFor(service.url + end).callPath('POST', endpoint));
        expect(error).toMatchObject({ code: 'LOG_WRONG_BASE_URL', statusCode: status });
        expect(error.message).toContain(`Remove "${end.replace('/prefix', '')}" from the end of baseUrl.`);
      }
    },
  );

  it.each([
    ['/api/v1/ingest', '/api/v1/ingest'],
    ['/api/v1/ingest/humio-structured/', '/api/v1/ingest/humio-structured'],
    ['/prefix/api/v1/repositories/shop', '/api/v1/repositories/shop'],
    ['/graphql', '/graphql'],
  ])('is not awaited for an endpoint at the end of baseUrl: %s', (end, removed) => {
    const baseUrl = `https://logscale.example.com${end}`;
    const sentence = `"baseUrl" is an endpoint. Remove "${removed}" from the end of it.`;
    expect(() => new LogClient({ baseUrl, repository: 'shop', userToken: 'token' })).toThrow(sentence);
    expect(() => new LogIngestClient({ baseUrl, ingestToken: 'token' })).toThrow(sentence);
  });

  it('names the variable that set the address, also for a client', async () => {
    const service = await startService((_, response) => response.writeHead(404).end('Not Found'));
    vi.stubEnv('LOGSCALE_BASE_URL', `${service.url}/api/v1`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const client = new LogClient({ repository: 'shop', userToken: 'token' });
    const error = await failure(client.query('count()'));
    expect(error.message).toContain('Remove "/api/v1" from the end of LOGSCALE_BASE_URL.');
    const wrong = await failure(client.query('count()', { timeoutMs: 'soon' as never }));
    expect(wrong.message).toMatch(/^query: "timeoutMs" must be/);
  });

  it.each([413, 502, 504])(
    'has the code LOG_HTTP if a proxy sends a web page with status %i',
    async (status) => {
      const service = await startService((_, response) => {
        response.writeHead(status, { 'content-type': 'text/html' }).end('<html>');
      });
      expect(await failure(callerFor(service.url).callRest('GET', 'x'))).toMatchObject({
        code: 'LOG_HTTP',
        message: `GET ${new URL(service.url).host}/api/v1/x failed with status ${status}.`,
      });
    },
  );

  it('is reported although its body never ends', async () => {
    let isClosed = false;
    const service = await startService((_, response) => {
      const more = setInterval(() => response.write('x'.repeat(10_000)), 1);
      response.writeHead(503).on('close', () => {
        clearInterval(more);
        isClosed = true;
      });
    });
    const error = await failure(callerFor(service.url).callRest('GET', 'x'));
    expect(error).toMatchObject({ statusCode: 503, body: 'x'.repeat(4_096) });
    await eventually(() => expect(isClosed).toBe(true));
  });

  it('is not reported if the caller aborts while its body arrives', async () => {
    const service = await startService((_, response) => response.writeHead(503).write('busy'));
    const controller = new AbortController();
    const call = callerFor(service.url).callRest('GET', 'x', { signal: controller.signal });
    await eventually(() => expect(service.calls).toHaveLength(1));
    const reason = new Error('not needed anymore');
    controller.abort(reason);
    expect(await failure(call)).toBe(reason);
  });

  it.each([
    ['https://login.example/start?code=very-secret', 'https://login.example/start'],
    ['https://login.example/start#very-secret', 'https://login.example/start'],
    ['https://user:very-secret@login.example/start', 'https://login.example/start'],
    ['https://user:p@very-secret@login.example', 'https://login.example'],
    ['//very-secret@login.example/@start', '//login.example/@start'],
    [`/${'x'.repeat(199)}very-secret`, `/${'x'.repeat(199)}`],
  ])('does not follow a redirect, and reports it without secrets: %s', async (location, target) => {
    const service = await startService((_, response) => {
      response.writeHead(302, { location }).end();
    });
    const error = await failure(callerFor(service.url).callRest('GET', 'x'));
    expect(error).toMatchObject({ code: 'LOG_WRONG_BASE_URL', statusCode: 302 });
    expect(error.message).toContain(`redirect (status 302) to ${target}. Redirects are not followed`);
    expect(everythingVisible(error)).not.toContain('very-secret');
    expect(service.calls).toHaveLength(1);
  });

  it('has the code LOG_BAD_ANSWER if a successful response is not JSON', async () => {
    const service = await startService((_, response) => sendText(response, 200, 'OK'));
    const response = await callerFor(service.url).callRest('GET', 'x');
    expect(await failure(response.json())).toMatchObject({ code: 'LOG_BAD_ANSWER', body: 'OK' });
  });
});

it.each<[string, string, (authorization: string) => string]>([
  ['a web page', 'Bearer a<&"c-1234', () => 'no: a&lt;&amp;&quot;c-1234'],
  ['a URL', 'Bearer a<&"c-1234', encodeURIComponent],
  ['JSON', 'Bearer a<&"c-1234', (text) => JSON.stringify({ detail: text })],
  [
    'plain text',
    `Basic ${Buffer.from('abcdef:c-1234').toString('base64')}`,
    (text) => Buffer.from(text.slice(6), 'base64').toString(),
  ],
])('an authorization header that the service repeats in %s is redacted', async (_, authorization, echo) => {
  const service = await startService((request, response) =>
    sendText(response, 400, echo(request.headers.authorization ?? '')),
  );
  const caller = new WebCaller(service.url, { headers: { authorization } });
  const error = await failure(caller.callRest('GET', 'x'));
  expect(everythingVisible(error)).not.toContain('c-1234');
  expect(error).toMatchObject({ body: expect.stringContaining('[redacted]') });
});

describe('A failed connection', () => {
  it('that is refused names the host and the code', async () => {
    const port = await closedPort();
    const error = await failure(
      callerFor(`http://127.0.0.1:${port}`).callRest('GET', 'x', { query: { a: 'hidden-key' } }),
    );
    expect(error).toBeInstanceOf(LogConnectionException);
    expect(error.message).toContain(`Nothing is listening at 127.0.0.1:${port} (ECONNREFUSED)`);
    expect(error.cause).toMatchObject({ code: 'ECONNREFUSED' });
    expect(everythingVisible(error)).not.toMatch(/hidden-key|Bearer/);
  });

  it.each(REALMS)('keeps the name, message and stack of an error of %s as its cause', async (_, errors) => {
    const cause = new errors.TypeError('no route');
    const error = await failure(
      callerFor('http://localhost', { fetch: () => Promise.reject(cause) }).callRest('GET', 'x'),
    );
    const { name, message, stack } = cause;
    expect(error.cause).toMatchObject({ name, message, stack });
  });

  it('to an unknown host says so', async () => {
    const error = await failure(callerFor('http://no-such-host.invalid').callRest('GET', 'x'));
    expect(error).toBeInstanceOf(LogConnectionException);
    expect(error.message).toMatch(/no-such-host\.invalid could not be resolved \((ENOTFOUND|EAI_AGAIN)\)/);
  });

  it('to a port without TLS says so', async () => {
    const service = await startService(() => {});
    const error = await failure(callerFor(service.url.replace('http:', 'https:')).callRest('GET', 'x'));
    expect(error).toBeInstanceOf(LogConnectionException);
    expect(error.message).toContain('The TLS connection to 127.0.0.1');
  });

  it('that closes before the response is not a dropped connection', async () => {
    const service = await startService((_, response) => response.destroy());
    const error = await failure(callerFor(service.url).callRest('GET', 'x'));
    expect(error).toBeInstanceOf(LogConnectionException);
    expect(error).not.toBeInstanceOf(LogConnectionDroppedException);
    expect(error.message).toContain('closed the connection before responding');
  });

  it('that closes in the body is a dropped connection', async () => {
    const service = await startService((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"half":');
      setTimeout(() => response.destroy(), 20);
    });
    const response = await callerFor(service.url).callRest('GET', 'x');
    const error = await failure(response.json());
    expect(error).toBeInstanceOf(LogConnectionDroppedException);
    expect(error.message).toContain('dropped mid-response');
  });
});

describe('The timeout', () => {
  it('covers waiting for the headers', async () => {
    const service = await startService(() => {});
    const error = await failure(callerFor(service.url, { timeoutMs: 50 }).callRest('GET', 'x'));
    expect(error).toBeInstanceOf(LogTimeoutException);
    expect(error).toMatchObject({
      timeoutMs: 50,
      message: expect.stringContaining('GET /api/v1/x took longer than 50 ms'),
    });
  });

  it('covers reading the body', async () => {
    const service = await startService((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('[');
    });
    const response = await callerFor(service.url).callRest('GET', 'x', { timeoutMs: 500 });
    expect(await failure(response.json())).toBeInstanceOf(LogTimeoutException);
  });

  it('is that of each silence of the body, during which the reader waits', async () => {
    const limits = holdTimers(2_000);
    const sent: ServerResponse[] = [];
    const service = await startService((_, response) => {
      response.writeHead(200).write('a');
      sent.push(response);
    });
    const response = await callerFor(service.url).callRest('GET', 'x', { timeoutMs: 2_000 });
    const body = response.body[Symbol.asyncIterator]();
    for (const text of ['a', 'b', 'c']) {
      const read = body.next();
      expect(limits.running).toBe(1);
      if (text !== 'a') sent[0]?.write(text);
      expect(String((await read).value)).toBe(text);
      expect(limits.running).toBe(0);
    }
    const read = failure(body.next());
    await limits.fire();
    expect(await read).toMatchObject({
      code: 'LOG_TIMEOUT',
      timeoutMs: 2_000,
      message: expect.stringContaining('has sent nothing for 2000 ms (timeoutMs)'),
    });
  });

  it.each([
    ['in the background', 200, { background: true }],
    ['of an error', 500, {}],
  ])('covers the whole body %s', async (_, status, options) => {
    const limits = holdTimers(2_000);
    const service = await startService((_request, response) => {
      response.writeHead(status).write('a');
    });
    const responses: Response[] = [];
    const recording: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      responses.push(response);
      return response;
    };
    const caller = callerFor(service.url, { timeoutMs: 2_000, fetch: recording, ...options });
    const text = failure(caller.callRest('GET', 'x').then((response) => response.text()));
    await eventually(() => expect(responses).toHaveLength(1));
    expect(limits.started).toBeLessThanOrEqual(3);
    await limits.fire();
    expect(await text).toMatchObject({ code: status === 200 ? 'LOG_TIMEOUT' : 'LOG_HTTP' });
  });

  it('does not cover the body of a stream', async () => {
    const limits = holdTimers(2_000);
    let end = (): unknown => undefined;
    const service = await startService((_, response) => {
      response.writeHead(200).write('a\n');
      end = () => response.end('b\n');
    });
    const response = await callerFor(service.url).callRest('GET', 'x', { timeoutMs: 2_000, stream: true });
    expect([limits.started, limits.running]).toEqual([1, 0]);
    end();
    expect(await response.text()).toBe('a\nb\n');
  });

  it('closes the connection to the service', async () => {
    let isClosed = false;
    const service = await startService((_, response) => {
      response.on('close', () => (isClosed = true));
    });
    await failure(callerFor(service.url).callRest('GET', 'x', { timeoutMs: 30 }));
    await eventually(() => expect(isClosed).toBe(true));
  });
});

describe('Aborting', () => {
  it.each(['headers', 'body'])("while waiting for the %s rejects with the signal's reason", async (phase) => {
    const service = await startService((_, response) => {
      if (phase === 'body') response.writeHead(200).write('[');
    });
    const controller = new AbortController();
    const reason = { why: 'I changed my mind' };
    setTimeout(() => controller.abort(reason), 30);
    const call = callerFor(service.url)
      .callRest('GET', 'x', { signal: controller.signal })
      .then((response) => response.json());
    expect(await failure(call)).toBe(reason);
  });

  it('before the call sends nothing', async () => {
    const service = await startService((_, response) => sendJson(response, {}));
    const reason = new Error('too late');
    const signal = AbortSignal.abort(reason);
    expect(await failure(callerFor(service.url).callRest('GET', 'x', { signal }))).toBe(reason);
    expect(service.calls).toEqual([]);
  });

  it('leaves no listener on the signal', async () => {
    const service = await startService((_, response) => sendJson(response, {}));
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    for (let i = 0; i < 3; i++) {
      await (await callerFor(service.url).callRest('GET', 'x', { signal })).json();
    }
    expect(added).toHaveBeenCalledTimes(3);
    expect(removed).toHaveBeenCalledTimes(3);
  });
});

describe('callGraphql()', () => {
  it('posts a query with variables and returns the content of data', async () => {
    const service = await startService((_, response) =>
      sendJson(response, { data: { meta: { version: '1' } } }),
    );
    const answer = await callerFor(`${service.url}/p/`).callGraphql({
      query: 'query Q { meta }',
      variables: { a: '"' },
    });
    expect(answer).toEqual({ meta: { version: '1' } });
    expect(service.calls).toEqual(['POST /p/graphql']);
    expect(service.requests[0]?.json()).toEqual({ query: 'query Q { meta }', variables: { a: '"' } });
  });

  it('sends data as the whole request body', async () => {
    const service = await startService((_, response) => sendJson(response, { data: {} }));
    await callerFor(service.url).callGraphql({ data: { query: '{ meta }', variables: null } });
    expect(service.requests[0]?.json()).toEqual({ query: '{ meta }', variables: null });
  });

  it('throws errors that arrive with status 200, with their details and without tokens', async () => {
    const errors = [
      { message: 'No saved query with id "x1"', state: { id: 'not found' } },
      { message: `Not with ${TOKEN}` },
    ];
    const service = await startService((_, response) => sendJson(response, { data: null, errors }));
    const error = await failure(callerFor(service.url).callGraphql({ query: '{ x }' }));
    expect(error).toBeInstanceOf(LogHTTPException);
    expect(error).toMatchObject({ code: 'LOG_GRAPHQL', statusCode: 200, path: '/graphql' });
    expect(error.message).toContain('No saved query with id "x1"; Not with [redacted]');
    expect(everythingVisible(error)).not.toContain(TOKEN);
  });

  it.each([
    ['LOG_EXISTS', [{ message: 'The view "a" already exists.', state: { name: 'taken' } }]],
    ['LOG_EXISTS', [{ message: 'A parser with this name already exists' }]],
    ['LOG_EXISTS', [{ message: 'No', extensions: { code: 'ALREADY_EXISTS' } }]],
    ['LOG_NOT_FOUND', [{ message: 'Could not find a repository with the name "invalid"' }]],
    [
      'LOG_NOT_FOUND',
      [{ message: 'No', extensions: { code: 'NOT_FOUND', at: 7 } }, { message: 'not found' }],
    ],
    ['LOG_INVALID', [{ message: 'The function now() does not exist', state: { script: 'invalid' } }]],
    ['LOG_GRAPHQL', [{ message: 'The parser "already exists" or "not found" is locked' }]],
    ['LOG_GRAPHQL', [{ message: 'already exists' }, { message: 'not found' }]],
    ['LOG_GRAPHQL', [{ message: 'already exists' }, { message: 'Timeout' }]],
    ['LOG_GRAPHQL', [null]],
  ])('throws the code %s for the errors %j', async (code, errors) => {
    const service = await startService((_, response) => sendJson(response, { data: null, errors }));
    expect(await failure(callerFor(service.url).callGraphql({ query: '{ x }' }))).toMatchObject({ code });
  });

  it('keeps the data of a response with errors in the exception, invisible to loggers', async () => {
    const data = { users: [{ token: TOKEN }], files: null };
    const service = await startService((_, response) =>
      sendJson(response, { data, errors: [{ message: 'no' }] }),
    );
    const error = await failure(callerFor(service.url).callGraphql({ query: '{ x }' }));
    expect(error).toMatchObject({ code: 'LOG_GRAPHQL', data });
    expect(inspect(error) + JSON.stringify(error)).not.toContain(TOKEN);
  });

  it.each([{}, { data: null }, null, 'text'])('throws LOG_GRAPHQL for the response %j', async (answer) => {
    const service = await startService((_, response) => sendJson(response, answer));
    expect(await failure(callerFor(service.url).callGraphql({ query: '{ x }' }))).toMatchObject({
      code: 'LOG_GRAPHQL',
    });
  });

  it('rejects a call without a query', async () => {
    await expect(callerFor('http://localhost:1').callGraphql({})).rejects.toThrow(LogOptionsException);
  });
});

describe('responseAsJson()', () => {
  it('wraps a function that returns a response into one that returns its JSON', async () => {
    const service = await startService((request, response) => sendJson(response, { path: request.path }));
    const caller = callerFor(service.url);
    const get = WebCaller.responseAsJson((endpoint: string) => caller.callRest('GET', endpoint));
    expect(await get('abc')).toEqual({ path: '/api/v1/abc' });
  });
});
