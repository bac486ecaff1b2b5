import { expect, it, onTestFinished, vi } from 'vitest';
import type { FoundServer } from '../../../src/core/discovery/local-servers.ts';
import {
  endsSeenByServer,
  NONCE_HEADER,
  PROOF_HEADER,
  PROOF_PATH,
  proofOf,
} from '../../../src/core/discovery/server-proof.ts';
import { LogClient } from '../../../src/index.ts';
import { startLocalServer } from '../../../src/server/index.ts';
import { startLiveLog } from '../../../src/tools/cli/serve/live-log.ts';
import { startService } from '../../helpers/http-service.ts';

/** The text on stderr. */
function captureStderr(): () => string {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  return () => write.mock.calls.map(([text]) => text).join('');
}

async function startLog(change = async (server: FoundServer) => server, earlier: string[] = []) {
  const server = await startLocalServer();
  onTestFinished(() => server.close());
  const { url: baseUrl, repository, userToken } = server;
  const client = new LogClient({ baseUrl, repository, userToken });
  const variables = { LOGSCALE_URL: baseUrl, LOGSCALE_TOKEN: userToken };
  const add = (...messages: string[]) =>
    client.ingestJsonData([
      { events: messages.map((message) => ({ timestamp: Date.now(), attributes: { message } })) },
    ]);
  await add(...earlier);
  const addedAt = Date.now();
  await expect.poll(() => Date.now()).toBeGreaterThan(addedAt);
  const stop = await startLiveLog(await change({ url: baseUrl, secret: server.secret, variables }));
  return { stop, add };
}

/** A connection that delivers no events of live queries. */
async function silenced({ url, secret, variables }: FoundServer): Promise<FoundServer> {
  const proxy = await startService(async ({ method, path, headers, text }, response) => {
    if (path === PROOF_PATH) {
      const nonce = String(headers[NONCE_HEADER]);
      const proof = proofOf(secret, nonce, endsSeenByServer(response.socket!));
      return response.writeHead(204, { [PROOF_HEADER]: proof }).end();
    }
    if (text.includes('"isLive":true')) return response.writeHead(200).flushHeaders();
    const { authorization = '', 'content-type': type = 'text/plain' } = headers;
    const body = method === 'GET' ? {} : { body: text };
    const answer = await fetch(url + path, {
      method,
      headers: { authorization, 'content-type': type },
      ...body,
    });
    return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  return { url: proxy.url, secret, variables: { ...variables, LOGSCALE_URL: proxy.url } };
}

it('the live log prints records on stop that its live query has not delivered', async () => {
  const stderr = captureStderr();
  const { stop, add } = await startLog(silenced);
  await add('first', 'second');
  await add('third');
  await stop();
  expect(stderr().match(/first|second|third/g)).toEqual(['first', 'second', 'third']);
});

it('the live log prints no records of a program that ran just before', async () => {
  const stderr = captureStderr();
  const { stop, add } = await startLog(silenced, ['earlier']);
  await add('own');
  await stop();
  expect(stderr().match(/earlier|own/g)).toEqual(['own']);
});

it('the live log prints each record once, in order', async () => {
  const stderr = captureStderr();
  const { stop, add } = await startLog();
  const messages = Array.from({ length: 250 }, (_, n) => `record-${n};`);
  await add(...messages.slice(0, 100));
  await expect.poll(stderr).toContain('record-99;');
  await add(...messages.slice(100));
  await stop();
  expect(stderr().match(/record-\d+;/g)).toEqual(messages);
});

it('the live log shows fractions as they were logged, and a request before its headers', async () => {
  const stderr = captureStderr();
  const server = await startLocalServer();
  onTestFinished(() => server.close());
  const { url, repository, userToken, secret } = server;
  const stop = await startLiveLog({
    url,
    secret,
    variables: { LOGSCALE_URL: url, LOGSCALE_TOKEN: userToken },
  });
  const attributes = {
    message: 'done',
    ms: 100.00000000000001,
    share: 1 / 3,
    version: '1.20.3',
    req: { id: 7, headers: { host: 'shop' }, remotePort: 5, method: 'GET', url: '/cart' },
    res: { statusCode: 200 },
  };
  const client = new LogClient({ baseUrl: url, repository, userToken });
  await client.ingestJsonData([{ events: [{ timestamp: Date.now(), attributes }] }]);
  await stop();
  expect(stderr()).toContain(
    'done  req.method=GET req.url=/cart res.statusCode=200 ms=100.00000000000001 share=0.3333333333333333 version=1.20.3 req.id=7 req.headers.host=shop req.remotePort=5',
  );
});
