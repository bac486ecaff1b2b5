import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Agent, MockAgent, RetryAgent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DispatchedAnswer } from '../../src/web/dispatched-answer.ts';
import { type Answer, closedPort, startService } from '../helpers/http-service.ts';

const never = new AbortController().signal;

interface Asked {
  readonly answer: Promise<DispatchedAnswer>;
  readonly response: Promise<ServerResponse>;
}

/** Sends a request to a service that answers as `reply` does. */
async function ask(reply: Answer, signal = never): Promise<Asked> {
  let take: (response: ServerResponse) => void;
  const response = new Promise<ServerResponse>((resolve) => {
    take = resolve;
  });
  const service = await startService((request, each) => {
    take(each);
    return reply(request, each);
  });
  const agent = new Agent();
  onTestFinished(() => agent.destroy());
  const answer = DispatchedAnswer.to(agent, { origin: service.url, path: '/', method: 'GET' }, signal);
  answer.catch(() => {});
  return { answer, response };
}

async function textOf(answer: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Waits until a value has not changed for as long as ten requests to somebody else take. */
async function expectStandstill(value: () => number): Promise<void> {
  const { url } = await startService((_, response) => response.end());
  await expect
    .poll(async () => {
      const before = value();
      for (let n = 0; n < 10; n++) await (await fetch(url)).text();
      return value() - before;
    })
    .toBe(0);
}

describe('an answer by a dispatcher', () => {
  it('has a status, headers in lower case and a body', async () => {
    const { answer } = await ask((_, response) => {
      response.writeHead(201, [
        ['X-One', 'a'],
        ['X-One', 'b'],
        ['X-Two', 'c'],
      ]);
      response.end('body');
    });
    const { statusCode } = await answer;
    expect(statusCode).toBe(201);
    expect((await answer).header('x-one')).toBe('a, b');
    expect((await answer).header('x-two')).toBe('c');
    expect((await answer).header('x-three')).toBeUndefined();
    expect(await textOf(await answer)).toBe('body');
  });

  it('is the last one, not the hints before it', async () => {
    const { answer } = await ask((_, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.writeHead(200).end('late');
    });
    expect((await answer).statusCode).toBe(200);
    expect((await answer).header('link')).toBeUndefined();
    expect(await textOf(await answer)).toBe('late');
  });

  it('can come by a dispatcher that asks again', async () => {
    let calls = 0;
    const service = await startService((_, response) => {
      calls++;
      response.writeHead(calls === 1 ? 503 : 200).end(`call ${calls}`);
    });
    const agent = new RetryAgent(new Agent(), { minTimeout: 1, maxTimeout: 5 });
    onTestFinished(() => agent.destroy());
    const options = { origin: service.url, path: '/', method: 'GET' } as const;
    expect(await textOf(await DispatchedAnswer.to(agent, options, never))).toBe('call 2');
  });

  it('leaves at the service what its reader does not take, and all of it arrives in the end', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let sent = 0;
    const { answer } = await ask(async (_, response) => {
      for (; sent < 512 * chunk.length; sent += chunk.length) {
        if (!response.write(chunk)) await once(response, 'drain');
      }
      response.end();
    });
    const iterator = (await answer)[Symbol.asyncIterator]();
    let read = (await iterator.next()).value?.byteLength ?? 0;
    await expectStandstill(() => sent);
    expect(sent).toBeLessThan(512 * chunk.length);
    for await (const { byteLength } of iterator) read += byteLength;
    expect(read).toBe(512 * chunk.length);
  });

  it('without a body has no chunks, from a mock either', async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    onTestFinished(() => agent.close());
    agent.get('http://service').intercept({ path: '/', method: 'GET' }).reply(204, '');
    const options = { origin: 'http://service', path: '/', method: 'GET' } as const;
    const chunks: Uint8Array[] = [];
    for await (const chunk of await DispatchedAnswer.to(agent, options, never)) chunks.push(chunk);
    expect(chunks).toEqual([]);
  });

  it('gives what came before it broke off, and then the error', async () => {
    const { answer, response } = await ask((_, each) => void each.writeHead(200).write('half'));
    const iterator = (await answer)[Symbol.asyncIterator]();
    expect(Buffer.from((await iterator.next()).value as Uint8Array).toString()).toBe('half');
    const next = iterator.next();
    (await response).destroy();
    await expect(next).rejects.toThrow('other side closed');
  });

  it('closes the connection when its reader leaves', async () => {
    const { answer, response } = await ask((_, each) => void each.writeHead(200).write('endless'));
    const closed = once(await response, 'close');
    for await (const _ of await answer) break;
    await closed;
    await expect(textOf(await answer)).rejects.toThrow('The rest of the answer is not wanted.');
  });
});

describe('a request by a dispatcher', () => {
  it('that reaches nobody rejects with the reason', async () => {
    const origin = `http://127.0.0.1:${await closedPort()}`;
    const agent = new Agent();
    onTestFinished(() => agent.destroy());
    const sent = DispatchedAnswer.to(agent, { origin, path: '/', method: 'GET' }, never);
    await expect(sent).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('that the dispatcher refuses rejects', async () => {
    const agent = new Agent();
    await agent.close();
    const options = { origin: 'http://127.0.0.1:1', path: '/', method: 'GET' } as const;
    await expect(DispatchedAnswer.to(agent, options, never)).rejects.toMatchObject({
      code: 'UND_ERR_DESTROYED',
    });
  });

  it.each(['before it is sent', 'before the head', 'in the body'])(
    'ends with the reason of its signal %s',
    async (when) => {
      const giving = new AbortController();
      const reason = new Error('no time left');
      if (when === 'before it is sent') giving.abort(reason);
      const { answer, response } = await ask((_, each) => {
        if (when === 'in the body') each.writeHead(200).write('endless');
      }, giving.signal);
      if (when === 'before the head') {
        const closed = once(await response, 'close');
        giving.abort(reason);
        await closed;
      }
      if (when === 'in the body') {
        const iterator = (await answer)[Symbol.asyncIterator]();
        await iterator.next();
        const next = iterator.next();
        giving.abort(reason);
        await expect(next).rejects.toBe(reason);
      } else await expect(answer).rejects.toBe(reason);
    },
  );
});
