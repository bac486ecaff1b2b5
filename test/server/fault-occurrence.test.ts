import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FaultScript } from '../../src/server/faults/fault-script.ts';
import type { Fault, LocalServer } from '../../src/server/index.ts';
import { startLocalServer } from '../../src/server/index.ts';
import { cases } from '../helpers/laws.ts';
import { post } from './query-calls.ts';

const REQUEST = { method: 'POST', path: '/api/v1/ingest/raw', headers: new Headers() };

/** The requests that a fault affects, counted from 1. */
function met(fault: Fault, requests: number): number[] {
  const script = new FaultScript();
  script.add(fault);
  return Array.from({ length: requests }, (_, i) => i + 1).filter(() => script.take(REQUEST) !== undefined);
}

describe('Requests that a fault affects', () => {
  let server: LocalServer;
  beforeEach(async () => {
    server = await startLocalServer();
  });
  afterEach(() => server.close());

  it('are every third matching request with every: 3', async () => {
    const fault = server.faults.add({ path: 'ingest', every: 3, status: 503 });
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) {
      // Requests that don't match are not counted.
      await server.fetch(`${server.url}/api/v1/status`);
      statuses.push((await post(server, 'ingest/raw', 'x', { token: server.ingestToken })).status);
    }
    expect(statuses).toEqual([200, 200, 503, 200, 200, 503, 200]);
    expect(fault.hits).toBe(2);
    expect(server.inspect.store().events).toBe(5);
  });

  it('start after the first N matching requests with after: N', () => {
    expect(met({ after: 2, status: 503 }, 5)).toEqual([3, 4, 5]);
    expect(met({ after: 2, every: 2, times: 2, status: 503 }, 9)).toEqual([4, 6]);
  });

  it('are counted only if no earlier fault has affected them', () => {
    const script = new FaultScript();
    script.add({ status: 500, times: 2 });
    const second = script.add({ status: 503, after: 1 });
    const statuses = Array.from({ length: 5 }, () => script.take(REQUEST)?.status);
    expect(statuses).toEqual([500, 500, undefined, 503, 503]);
    expect(second.hits).toBe(2);
  });

  it('depend only on seed, and their share is close to probability', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 31 }),
        fc.double({ min: 0.05, max: 1, noNaN: true }),
        (seed, p) => {
          const first = met({ probability: p, seed, status: 503 }, 1000);
          expect(met({ probability: p, seed, status: 503 }, 1000)).toEqual(first);
          // At least five standard deviations.
          expect(Math.abs(first.length - 1000 * p)).toBeLessThan(100);
        },
      ),
      cases(50),
    );
    expect(met({ probability: 0.5, seed: 1, status: 503 }, 50)).not.toEqual(
      met({ probability: 0.5, seed: 2, status: 503 }, 50),
    );
  });
});
