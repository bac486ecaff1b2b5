import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import winston from 'winston';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { LogTransport, type LogTransportOptions } from '../../transports/winston/index.ts';
import { blocksOf } from './markdown-blocks.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/production.md'), 'utf8');

/** The option of the page. */
function redactOnPage(): LogTransportOptions['redact'] {
  const { text } = blocksOf(page).find(
    ({ title, language }) => title === 'Redact secrets' && language === 'ts',
  )!;
  const [, source] = /^const redact = (.*);$/m.exec(text)!;
  return new Function(`return ${source};`)();
}

let server: LocalServer;
beforeAll(async () => {
  server = await startLocalServer();
  return () => server.close();
});

const SECRETS = /s3cr3t|tr0ub4dor|4111|ada@/;

/** Logs with a transport that has the option of the page. @returns the stored event, as JSON */
async function logged(...args: readonly [message: unknown, meta?: unknown]): Promise<string> {
  const { url: baseUrl, ingestToken } = server;
  const transport = new LogTransport({ baseUrl, ingestToken, worker: false, redact: redactOnPage() });
  const logger = winston.createLogger({ transports: [transport] });
  onTestFinished(() => void logger.close());
  const before = server.inspect.events().length;
  (logger.error as (...all: readonly unknown[]) => unknown)(...args);
  await transport.flush();
  const events = server.inspect.events().slice(before);
  expect(events).toHaveLength(1);
  return JSON.stringify(events[0]);
}

const headers = { Authorization: 'Bearer s3cr3t', accept: 'text/html' };

/** An error like those of axios: it has the request, which contains the headers as text, and refers to itself. */
function httpError(): Error {
  const outgoing = request('http://127.0.0.1:9', { headers });
  outgoing.on('error', () => {}).end();
  onTestFinished(() => void outgoing.destroy());
  const error = new TypeError('status 402 for ada, card 4111 1111 1111 1111');
  const response = { config: { headers }, data: { password: 'tr0ub4dor' } };
  return Object.assign(error, { config: { headers }, request: outgoing, response, self: error });
}

describe('The redaction recipe', () => {
  it.each<[string, () => readonly [unknown, unknown?]]>([
    ['an HTTP error as a field', () => ['payment failed', { err: httpError() }]],
    ['an HTTP error as the second argument', () => ['payment failed', httpError()]],
    ['an HTTP error as the message', () => [httpError()]],
    ['the cause of an error', () => ['payment failed', { err: new Error('outer', { cause: httpError() }) }]],
    [
      'the errors of an AggregateError',
      () => ['payment failed', { err: new AggregateError([httpError()], 'all') }],
    ],
    ['an array in an array', () => ['payment failed', { list: [[{ headers }]] }]],
    ['a Map in a Set', () => ['payment failed', { set: new Set([new Map([['password', 'tr0ub4dor']])]) }]],
    ['toJSON()', () => ['payment failed', { request: { toJSON: () => ({ headers }) } }]],
    ['text', () => ['paid with 4111 1111 1111 1111, sent authorization: bearer s3cr3t']],
  ])('leaves no secret in %s', async (_, valuesOf) => {
    const event = await logged(...valuesOf());
    expect(event).not.toMatch(SECRETS);
    expect(event).toMatch(/redacted/);
  });

  it('keeps the other values, and the type, message, stack and cause of errors', async () => {
    const cause = Object.assign(new RangeError('too large'), { code: 'E_RANGE' });
    const event = JSON.parse(
      await logged('payment failed', {
        at: new Date(0),
        map: new Map([['a', 1]]),
        list: [1, { b: 2 }],
        url: new URL('http://shop.example/cart'),
        err: new TypeError('broken', { cause }),
      }),
    );
    expect(event).toMatchObject({
      message: 'payment failed',
      level: 'error',
      at: '1970-01-01T00:00:00.000Z',
      'map.a': '1',
      'list[0]': '1',
      'list[1].b': '2',
      url: 'http://shop.example/cart',
    });
    const text = JSON.stringify(event);
    for (const part of ['TypeError', 'broken', 'RangeError', 'too large', 'E_RANGE', 'redaction.test']) {
      expect(text).toContain(part);
    }
  });

  it('survives cycles in objects, arrays, maps, sets and toJSON(), and does not change the values', async () => {
    const object: Record<string, unknown> = { password: 'tr0ub4dor', toJSON: undefined };
    const [list, map, set] = [[object] as unknown[], new Map<string, unknown>(), new Set<unknown>()];
    list.push(list);
    map.set('map', map);
    set.add(set);
    Object.assign(object, { object, list, map, set, json: { toJSON: () => object } });
    const error = httpError();
    expect(await logged('cycles', { object, error })).not.toMatch(SECRETS);
    expect(object).toMatchObject({ password: 'tr0ub4dor', object, list, map, set });
    expect(error).toMatchObject({ config: { headers: { Authorization: 'Bearer s3cr3t' } } });
  });
});
