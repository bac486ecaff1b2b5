import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Outage } from '../../../src/tools/output/outage.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 0, 2, 3, 4, 5) }));
afterEach(() => void vi.useRealTimers());

it('reports an outage at its start, after 1, 2 and 4 minutes with its start and the failed attempts, and at its end', () => {
  const said: string[] = [];
  const outage = new Outage((message) => said.push(message));
  const at = (seconds: number): unknown => vi.setSystemTime(new Date(2026, 0, 2, 3, 4, 5 + seconds));
  for (let attempt = 1; attempt <= 30; attempt++) {
    at(10 * (attempt - 1));
    outage.failed('No connection.', attempt);
  }
  outage.ended('Connected again.');
  outage.ended('Connected again.');
  outage.failed('No connection.', 1);
  expect(said).toEqual([
    'No connection.',
    'No connection. Since 2026-01-02 03:04:05, 7 attempts.',
    'No connection. Since 2026-01-02 03:04:05, 13 attempts.',
    'No connection. Since 2026-01-02 03:04:05, 25 attempts.',
    'Connected again.',
    'No connection.',
  ]);
});
