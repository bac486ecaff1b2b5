import { expect, it, onTestFinished } from 'vitest';
import { LogConnectionException } from '../../../src/core/errors.ts';
import { BlockingCaller } from '../../../src/core/http/node/blocking-caller.ts';
import type { FollowedServer } from '../../../src/core/http/node/followed-server.ts';
import { closedPort } from '../../helpers/closed-port.ts';

it.each([
  ['of an address', false],
  ['of a local server, before it has proven its identity', true],
])('A blocking call %s on which nothing listens fails with the cause', async (_, isFollowed) => {
  const url = `http://127.0.0.1:${await closedPort()}`;
  const followed = {
    sendSync: (send: (server: object, credentials: object) => unknown) => send({ url, secret: 's' }, {}),
  } as unknown as FollowedServer;
  const caller = new BlockingCaller({
    baseUrl: new URL(`${url}/`),
    headers: {},
    proxy: undefined,
    ca: undefined,
    secrets: [],
    followed: isFollowed ? followed : undefined,
    startTimeoutMs: 20_000,
  });
  onTestFinished(() => caller.close());
  const call = (): unknown =>
    caller.call('POST', 'api', { body: Buffer.from('{}'), headers: {}, timeoutMs: 20_000 });
  expect(call).toThrow(LogConnectionException);
  expect(call).toThrow(/^Nothing is listening at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)/);
});
