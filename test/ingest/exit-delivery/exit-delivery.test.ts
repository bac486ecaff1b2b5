import { Agent, getGlobalDispatcher, MockAgent, setGlobalDispatcher } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { isReachableByWorker } from '../../../src/ingest/exit-delivery/deliver-at-exit.ts';
import { type IngesterOptions, resolveIngesterOptions } from '../../../src/ingest/ingester-options.ts';

const BASE = { baseUrl: 'http://localhost:1/prefix', ingestToken: 'token' };

function isReachable(options: IngesterOptions): boolean {
  return isReachableByWorker(resolveIngesterOptions(options));
}

it('leads no worker past a fetch or a dispatcher of the program', () => {
  expect(isReachable(BASE)).toBe(true);
  expect(isReachable({ ...BASE, fetch: () => Promise.reject(new Error('unused')) })).toBe(false);
  expect(isReachable({ ...BASE, dispatcher: new Agent() })).toBe(false);
});

it.each([
  ['a mock', () => new MockAgent()],
  ['an agent with options', () => new Agent({ connect: { rejectUnauthorized: true } })],
])('leads no worker past %s that the program has made the global dispatcher', (_, create) => {
  const before = getGlobalDispatcher();
  onTestFinished(() => setGlobalDispatcher(before));
  expect(isReachable(BASE)).toBe(true);
  setGlobalDispatcher(create());
  expect(isReachable(BASE)).toBe(false);
});
