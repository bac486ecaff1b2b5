import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { workerText } from '../../../scripts/bundle-worker.ts';
import { BlockingCaller } from '../../../src/core/http/node/blocking-caller.ts';
import { resolveConnectionOptions } from '../../../src/core/http/node/connection-options.ts';
import { batchOf } from '../../../src/ingest/batch/batch-builder.ts';
import { type IngesterOptions, resolveIngesterOptions } from '../../../src/ingest/options.ts';
import { createRecord } from '../../../src/ingest/record/record.ts';
import { HttpSender } from '../../../src/ingest/send/http-sender.ts';
import type { SendOutcome } from '../../../src/ingest/send/sender.ts';
import { ServiceCheck } from '../../../src/ingest/send/service-check.ts';
import { realWorld } from '../../../src/ingest/world.ts';

/** What a response means for a batch; see `sender.ts`. `attention`: it is retried, and a person must fix something. */
type Class = SendOutcome['kind'] | 'attention';

/** A body with its content type. */
type Body = readonly [contentType: string, text: string];

const BODIES: Readonly<Record<string, Body>> = {
  'no body': ['', ''],
  text: ['text/plain; charset=UTF-8', 'The request was not accepted.'],
  JSON: ['application/json', '{"detail":"not accepted"}'],
  'a web page': ['text/html', '<html><head><title>Error</title></head><body>blocked</body></html>'],
  'a web page without a content type': ['', '<!DOCTYPE html>\n<html><body>blocked</body></html>'],
  'the hint of nginx': [
    'text/html',
    '<html><head><title>400 The plain HTTP request was sent to HTTPS port</title></head></html>',
  ],
  'the hint of Go': ['text/plain', 'Client sent an HTTP request to an HTTPS server.\n'],
  'the hint of Apache': [
    'text/html; charset=iso-8859-1',
    "Reason: You're speaking plain HTTP to an SSL-enabled server port.<br />\nInstead use the HTTPS scheme",
  ],
};

const STATUSES = Array.from({ length: 500 }, (_, index) => 100 + index);

/** With these, all statuses are tried; with the others, those up to the last registered one of each hundred. */
const THOROUGH = ['no body', 'a web page'];

/** The expected class, from the table in docs/delivery.md. */
function classOf(status: number, name: string): Class {
  // 1xx responses are informational: the final one follows. After 101, nothing does.
  if (status < 200) return status === 101 ? 'attention' : 'delivered';
  // Nothing in these says that another program responded. The page without a content type fails the address check.
  if (status < 300) {
    return status === 204 || status === 205 || name === 'no body' ? 'delivered' : 'attention';
  }
  if (status === 413) return 'rejected';
  if (status === 400 || status === 422) {
    if (status === 400 && name.startsWith('the hint')) return 'attention';
    return name.includes('web page') || BODIES[name]![0].startsWith('text/html') ? 'attention' : 'rejected';
  }
  if ([408, 425, 429].includes(status) || (status >= 500 && status !== 501)) return 'retryable';
  return 'attention';
}

function responseOf(status: number, [type, text]: Body): string {
  const hasBody = status >= 200 && status !== 204 && status !== 205 && status !== 304;
  const content = hasBody ? text : '';
  const head = `HTTP/1.1 ${status} Status\r\n${content && type ? `content-type: ${type}\r\n` : ''}`;
  if (status === 101) return `${head}connection: upgrade\r\nupgrade: other\r\n\r\n`;
  if (status < 200) return `${head}\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}`;
  const length = status === 204 || status === 304 ? '' : `content-length: ${Buffer.byteLength(content)}\r\n`;
  return `${head}${length}\r\n${content}`;
}

/** A service that writes a response as it is, to whatever is sent on a connection. */
async function startRawService(respond: () => string): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let request = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      request += chunk.toString('latin1');
      const [head = '', body] = request.split('\r\n\r\n', 2);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (body === undefined || body.length < length) return;
      request = '';
      const isCheck = head.startsWith('GET');
      socket.write(isCheck ? 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnone' : respond());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const BATCH = batchOf([createRecord('{"timestamp":1,"attributes":{"n":1}}', '{}')]).encodeSync('none');

function openSender(baseUrl: string, options: IngesterOptions = {}): HttpSender {
  const resolved = resolveIngesterOptions({
    baseUrl,
    ingestToken: 'token',
    requestTimeoutMs: 25_000,
    ...options,
  });
  return new HttpSender({ options: resolved, check: new ServiceCheck(resolved), world: realWorld });
}

describe('The class of a response', () => {
  it.each(Object.keys(BODIES))('is as documented for statuses from 100 to 599 with %s', async (name) => {
    let response = '';
    const url = await startRawService(() => response);
    const unexpected: string[] = [];
    const isThorough = THOROUGH.includes(name);
    for (const status of STATUSES.filter((each) => isThorough || each % 100 <= 31)) {
      response = responseOf(status, BODIES[name]!);
      const outcome = await openSender(url).send(BATCH, new AbortController().signal);
      const needsAttention = outcome.kind === 'retryable' && outcome.needsAttention;
      const received: Class = needsAttention ? 'attention' : outcome.kind;
      if (received !== classOf(status, name)) unexpected.push(`${status}: ${received}`);
      // Everything but a rate limit may be the fault of a record.
      const dependsOn = outcome.kind === 'retryable' ? outcome.dependsOn : undefined;
      const isHttp = outcome.kind === 'retryable' && status >= 300;
      const expected = [408, 504].includes(status) ? 'size' : status === 429 ? undefined : 'records';
      if (isHttp && dependsOn !== expected) unexpected.push(`${status} depends on ${dependsOn}`);
    }
    expect(unexpected).toEqual([]);
  });

  it.each(['the hint of nginx', 'the hint of Go', 'the hint of Apache'])(
    'says "Use https://" for a 400 with %s',
    async (name) => {
      const url = await startRawService(() => responseOf(400, BODIES[name]!));
      const outcome = await openSender(url).send(BATCH, new AbortController().signal);
      expect(outcome).toMatchObject({
        kind: 'retryable',
        needsAttention: true,
        reason: `${new URL(url).host} expects TLS on this port (status 400). Use https:// instead of http:// in baseUrl.`,
      });
    },
  );

  it.each([
    [302, 'no body', ''],
    [404, 'a web page', ''],
    [401, 'JSON', ''],
    [404, 'JSON', undefined],
    [403, 'no body', undefined],
  ])('of %i with %s has advice only if its message says what to check', async (status, name, advice) => {
    const url = await startRawService(() => responseOf(status, BODIES[name]!));
    const outcome = await openSender(url).send(BATCH, new AbortController().signal);
    expect({ advice: undefined, ...outcome }).toMatchObject({
      kind: 'retryable',
      needsAttention: true,
      advice,
    });
  });

  it('is known at once for a 101, also at process exit', async () => {
    // The caller blocks this thread, so the service runs in another one.
    const service = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
      const server = require('node:net').createServer((socket) => socket.on('data', () => socket.write(workerData)));
      server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
      { eval: true, workerData: responseOf(101, BODIES['no body']!) },
    );
    onTestFinished(() => void service.terminate());
    const [port] = await once(service, 'message');
    const connection = resolveConnectionOptions('test', { baseUrl: `http://127.0.0.1:${port}/` });
    const caller = new BlockingCaller(connection, { startTimeoutMs: 25_000 }, await workerText('request'));
    onTestFinished(() => caller.close());
    expect(() => caller.call('POST', 'ingest', { headers: {}, timeoutMs: 25_000 })).toThrow(
      expect.objectContaining({ statusCode: 101 }),
    );
  });
});
