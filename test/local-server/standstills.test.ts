import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LogClient } from '../../src/client/log-client.ts';
import { collect } from '../helpers/collect.ts';
import type { ServerAccess } from '../helpers/server-process.ts';

const PROGRAM = resolve(import.meta.dirname, '../fixtures/local-server.mjs');
/** Longer than the server lets a query, or a parser, take for a few events. */
const STANDSTILL_MS = 1_200;
const COUNT = 5_000;
/** So much to do for each event that the server hardly does anything else meanwhile. */
const WORK = Array.from({ length: 20 }, () => 'hash(text, as=h) | text := format("%s %s", field=[text, h])');
const HARD = `text := msg | ${WORK.join(' | ')}`;

let server: ChildProcess;
let client: LogClient;

beforeAll(async () => {
  const stdio = ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'];
  server = spawn(process.execPath, [PROGRAM], { stdio });
  const [line] = await once(server.stdout!.setEncoding('utf8'), 'data');
  const { url, repository, userToken } = JSON.parse(line) as ServerAccess;
  client = new LogClient({ baseUrl: url, repository, userToken });
  const timestamp = Date.now() - COUNT;
  const events = Array.from({ length: COUNT }, (_, n) => ({
    timestamp: timestamp + n,
    attributes: { n, msg: `the text of event ${n}` },
  }));
  await client.ingestJsonData([{ tags: { type: 'known' }, events }]);
});

afterAll(() => void server.kill('SIGKILL'));

/** As when a laptop sleeps: no thread of the server has a turn for a while, in the middle of its work. */
async function during<Result>(work: Promise<Result>): Promise<Result> {
  await Promise.race([work, delay(150)]);
  server.kill('SIGSTOP');
  await delay(STANDSTILL_MS);
  server.kill('SIGCONT');
  return work;
}

it('a query whose server stood still meanwhile has its result all the same', async () => {
  expect(await during(client.query(`${HARD} | count(h, distinct=true)`))).toEqual([
    { _count: String(COUNT) },
  ]);
});

it('so has a streaming query that makes a table', async () => {
  const rows = collect(client.streamingQuery(`${HARD} | count(h, distinct=true)`));
  expect(await during(rows)).toEqual([{ _count: String(COUNT) }]);
});

it('so has one that gives events, each of them once and in order', async () => {
  const rows = collect(client.streamingQuery<{ n: string }>(`${HARD} | select([n, h])`));
  expect((await during(rows)).map(({ n }) => Number(n))).toEqual(Array.from({ length: COUNT }, (_, n) => n));
});

it('a parser is not blamed for it: all events are parsed', async () => {
  await client.createParser('hard', HARD.replace('msg', '@rawstring'));
  const lines = Array.from({ length: COUNT / 8 }, (_, n) => `line ${n}`);
  await during(client.ingestMessages(lines, { parser: 'hard' }));
  expect(await client.query('#type=hard @error=* | count()')).toEqual([{ _count: '0' }]);
  expect(await client.query('#type=hard | count(h, distinct=true)')).toEqual([
    { _count: String(lines.length) },
  ]);
});
