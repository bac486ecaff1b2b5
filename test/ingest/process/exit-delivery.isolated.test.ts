import { Agent as HttpAgent } from 'node:http';
import { Agent, getGlobalDispatcher, MockAgent, setGlobalDispatcher } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { type IngesterOptions, resolveIngesterOptions } from '../../../src/ingest/options.ts';
import { isReachableByWorker } from '../../../src/ingest/process/exit-delivery.ts';

const BASE = { baseUrl: 'http://localhost:1/prefix', ingestToken: 'token' };

function isReachable(options: IngesterOptions): boolean {
  return isReachableByWorker(resolveIngesterOptions(options));
}

it('isReachableByWorker() returns false if the program sets its own fetch or agent', () => {
  expect(isReachable(BASE)).toBe(true);
  expect(isReachable({ ...BASE, fetch: () => Promise.reject(new Error('unused')) })).toBe(false);
  expect(isReachable({ ...BASE, agent: new HttpAgent() })).toBe(false);
});

it.each([
  ['a mock', () => new MockAgent()],
  ['an agent with options', () => new Agent({ connect: { rejectUnauthorized: true } })],
])('isReachableByWorker() returns false if the global dispatcher is %s and no proxy is set', (_, create) => {
  const before = getGlobalDispatcher();
  onTestFinished(() => setGlobalDispatcher(before));
  expect(isReachable(BASE)).toBe(true);
  setGlobalDispatcher(create());
  expect(isReachable(BASE)).toBe(false);
  expect(isReachable({ ...BASE, proxy: 'http://proxy.test' })).toBe(true);
});
