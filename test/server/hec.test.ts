import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { splitJsonObjects } from '../../src/server/ingest/json-sequence.ts';
import { cases } from '../helpers/laws.ts';
import { stream } from './query-calls.ts';

const NOW = Date.UTC(2026, 1, 3, 9);

let server: LocalServer;
beforeEach(async () => {
  await server?.close();
  server = await startLocalServer({ now: NOW });
});
afterAll(() => server.close());

async function send(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Splunk ${server.ingestToken}`, ...headers },
    body,
  });
  return `${response.status} ${await response.text()}`;
}

const SUCCESS = '200 {"text":"Success","code":0}';

describe('HTTP event collector', () => {
  it('accepts a sequence of JSON objects with metadata', async () => {
    const body =
      `{"time":${NOW / 1000 - 1}.250,"host":"web-7","source":"shop","event":{"message":"hi","ctx":{"id":7.0}},"fields":{"#env":"test"}}\n` +
      `{"time":"${NOW / 1000}","event":"plain user=bob","timezone":"Europe/Copenhagen"}{"event":"no time"}`;
    expect(await send('/services/collector', body)).toBe(SUCCESS);
    expect(await stream(server, '*')).toMatchObject([
      {
        '@timestamp': NOW - 750,
        '@host': 'web-7',
        '@source': 'shop',
        '@rawstring': '{"message":"hi","ctx":{"id":7.0}}',
        '#type': 'none',
        '#env': 'test',
        message: 'hi',
        'ctx.id': '7.0',
      },
      { '@timestamp': NOW, '@rawstring': 'plain user=bob', user: 'bob', '@timezone': 'Europe/Copenhagen' },
      { '@timestamp': NOW, '@rawstring': 'no time' },
    ]);
  });

  it('accepts events on three paths and selects the parser by sourcetype', async () => {
    for (const path of ['/api/v1/ingest/hec', '/services/collector', '/services/collector/event']) {
      expect(await send(path, '{"sourcetype":"json","event":"{\\"a\\":1.0}"}')).toBe(SUCCESS);
    }
    expect(await stream(server, 'a=1.0 #type=json | count()')).toEqual([{ _count: '3' }]);
  });

  it('parses key=value pairs when sourcetype names no parser', async () => {
    expect(await send('/services/collector', '{"sourcetype":"cisco:asa","event":"user=bob"}')).toBe(SUCCESS);
    const [row] = await stream(server, '*');
    expect(row).toMatchObject({ '#type': 'cisco:asa', user: 'bob' });
    expect(row).not.toHaveProperty('@error');
  });

  it.each([
    ['Bearer', (token: string) => `Bearer ${token}`],
    ['Splunk', (token: string) => `Splunk ${token}`],
    ['Basic with the token as user name', (token: string) => `Basic ${btoa(`${token}:`)}`],
    ['Basic with the token as password', (token: string) => `Basic ${btoa(`any:${token}`)}`],
  ])('accepts a token as %s and rejects a wrong one', async (_, header) => {
    const authorization = header(server.ingestToken);
    expect(await send('/services/collector/event/1.0', '{"event":"a"}', { authorization })).toBe(SUCCESS);
    const wrong = header(`${server.ingestToken}x`);
    expect(await send('/services/collector', '{"event":"a"}', { authorization: wrong })).toMatch(/^401 /);
  });

  it('reports that acknowledgments are disabled', async () => {
    expect(await send('/services/collector/ack?channel=c', '{"acks":[0]}')).toBe(
      '400 {"text":"ACK is disabled","code":14}',
    );
  });

  it('accepts gzip bodies of objects and of lines', async () => {
    const headers = { 'content-encoding': 'gzip' };
    expect(await send('/services/collector', gzipSync('{"event":"a=1"}'), headers)).toBe(SUCCESS);
    expect(await send('/services/collector/raw', gzipSync('a=2'), headers)).toBe(SUCCESS);
    expect((await stream(server, '*')).map(({ a }) => a)).toEqual(['1', '2']);
  });

  it('stores each line of a raw body as an event with its channel', async () => {
    const headers = { 'x-splunk-request-channel': 'c-1' };
    expect(await send('/services/collector/raw', 'a=1\r\na=2\ra=3\n\na=4\n', headers)).toBe(SUCCESS);
    expect(await send('/api/v1/ingest/hec/raw?channel=c-2', 'a=5')).toBe(SUCCESS);
    const rows = await stream(server, '*');
    expect(rows.map(({ a, channel }) => `${a} ${channel}`)).toEqual([
      '1 c-1',
      '2 c-1',
      '3 c-1',
      '4 c-1',
      '5 c-2',
    ]);
  });

  it.each([
    [
      '{"event":"ok"}{"message":"bare"}',
      '"text":"Event field is required","code":12,"invalid-event-number":1',
    ],
    ['{"event":null}', '"text":"Event field is required","code":12,"invalid-event-number":0'],
    ['{"fields":{"a":1}}', '"text":"Event field is required","code":12,"invalid-event-number":0'],
    [
      '{"event":"ok"}{"event":"ok"}{"event":""}',
      '"text":"Event field cannot be blank","code":13,"invalid-event-number":2',
    ],
    ['', '"text":"No data","code":5'],
    [' \r\n', '"text":"No data","code":5'],
  ])('rejects the whole body %j as Splunk does, in both modes', async (body, answer) => {
    for (const path of ['/services/collector', '/services/collector/event', '/api/v1/ingest/hec']) {
      expect(await send(path, body, { accept: 'text/plain' })).toBe(`400 {${answer}}`);
    }
    expect(server.inspect.store().events).toBe(0);
    const ngsiem = await startLocalServer({ ngsiem: {} });
    onTestFinished(() => ngsiem.close());
    const headers = { authorization: `Bearer ${ngsiem.hecToken}` };
    const response = await fetch(ngsiem.hecUrl, { method: 'POST', headers, body });
    expect([response.status, await response.text()]).toEqual([400, `{${answer}}`]);
    expect(ngsiem.inspect.store().events).toBe(0);
  });

  it('lists an object without an event as a rejection, with the object and what to do', async () => {
    await send('/services/collector', '{"event":"ok"}{"date":1,"log":"bare"}', {
      'user-agent': 'Fluent-Bit',
    });
    expect(server.inspect.rejections()).toMatchObject([
      {
        client: 'Fluent-Bit',
        status: 400,
        reason: 'Event field is required (code 12). An object has no "event".',
        fix: expect.stringContaining('remove "Splunk_Send_Raw"'),
        excerpt: '{"date":1,"log":"bare"}',
      },
    ]);
  });

  it('rejects an empty body of lines', async () => {
    for (const path of ['/services/collector/raw', '/api/v1/ingest/hec/raw']) {
      expect(await send(path, '\n')).toBe('400 {"text":"No data","code":5}');
    }
  });

  it.each([
    ['{"event":{}}', '{}'],
    ['{"event":0}', '0'],
    ['{"event":false}', 'false'],
    ['{"event":" "}', ' '],
  ])('accepts the event of %s', async (body, rawstring) => {
    expect(await send('/services/collector', body)).toBe(SUCCESS);
    expect(await stream(server, '*')).toMatchObject([{ '@rawstring': rawstring }]);
  });

  it.each([
    ['{"event":"ok"} nonsense', 'Expected "{" at position 15.'],
    ['{"event":"ok"}{"event":', 'The last object is incomplete.'],
    ['{"event":"ok"}{"event"}', expect.stringMatching(/^object 1: /)],
    ['{"event":"ok","time":"yesterday"}', 'object 0.time must be epoch seconds.'],
    [
      '{"event":"ok","index":"other"}',
      'object 0.index is not the repository of the token, which is "sandbox".',
    ],
    ['{"event":"ok","fields":[]}', 'object 0.fields must be an object (got an array).'],
    [`{"event":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'object 0.event is nested too deeply.'],
  ])('rejects the whole body %.60s', async (body, problem) => {
    const [head, detail] = (await send('/services/collector', body)).split('\n');
    expect(head).toBe('400 The request content was malformed:');
    expect(detail).toEqual(problem);
    expect(server.inspect.store().events).toBe(0);
  });
});

it('splitJsonObjects() splits a sequence into the objects it was joined from', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue());
  const space = fc.stringMatching(/^[ \t\r\n]*$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(object, space)), (parts) => {
      const texts = parts.map(([value]) => JSON.stringify(value));
      const sequence = parts.map(([, white], index) => white + texts[index]).join('');
      expect([...splitJsonObjects(sequence)]).toEqual(texts);
    }),
    cases(),
  );
});
