import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { workerText } from '../../../scripts/bundle-worker.ts';
import { LogConnectionException } from '../../../src/core/errors.ts';
import { BlockingCaller } from '../../../src/core/http/node/blocking-caller.ts';
import { resolveConnectionOptions } from '../../../src/core/http/node/connection-options.ts';
import type { FollowedServer } from '../../../src/core/http/node/followed-server.ts';
import { closedPort } from '../../helpers/closed-port.ts';
import { turnsOfTheLoop } from '../../helpers/hand-clock.ts';

const PROGRAM = await workerText('request');

function callerOf(url: string, followed?: FollowedServer): BlockingCaller {
  const connection = resolveConnectionOptions('test', { baseUrl: url });
  return new BlockingCaller(connection, { secrets: [], followed, startTimeoutMs: 20_000 }, PROGRAM);
}

it('Blocking callers share a worker, which ends with the last of them', async () => {
  const workers: Worker[] = [];
  const onWorker = (worker: Worker): void => void workers.push(worker);
  process.on('worker', onWorker);
  onTestFinished(() => void process.off('worker', onWorker));
  const url = `http://127.0.0.1:${await closedPort()}`;
  for (let n = 0; n < 3; n++) {
    const caller = callerOf(url);
    expect(() => caller.call('GET', 'api', { headers: {}, timeoutMs: 20_000 })).toThrow('ECONNREFUSED');
    caller.close();
  }
  const last = callerOf(url);
  await turnsOfTheLoop();
  expect(() => last.call('GET', 'api', { headers: {}, timeoutMs: 20_000 })).toThrow('ECONNREFUSED');
  expect(workers).toHaveLength(1);
  const ended = once(workers[0]!, 'exit');
  last.close();
  await ended;
});

it.each([
  ['of an address', false],
  ['of a local server, before it has proven its identity', true],
])('A blocking call %s on which nothing listens fails with the cause', async (_, isFollowed) => {
  const url = `http://127.0.0.1:${await closedPort()}`;
  const followed = {
    sendSync: (send: (server: object, credentials: object) => unknown) => send({ url, secret: 's' }, {}),
  } as unknown as FollowedServer;
  const caller = callerOf(url, isFollowed ? followed : undefined);
  onTestFinished(() => caller.close());
  const call = (): unknown =>
    caller.call('POST', 'api', { body: Buffer.from('{}'), headers: {}, timeoutMs: 20_000 });
  expect(call).toThrow(LogConnectionException);
  expect(call).toThrow(/^Nothing is listening at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)/);
});
