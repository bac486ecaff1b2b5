import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Ingester } from '../../src/ingest/ingester.ts';
import type { Warning } from '../../src/ingest/report/warning.ts';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { closedPort } from '../helpers/closed-port.ts';
import { eventually } from '../helpers/eventually.ts';
import { stream } from './query-calls.ts';

/** Consecutive numbers, as the field `n` of one event each. */
const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => String(from + index));

describe('Ingester while the server has faults', () => {
  let server: LocalServer;
  let ingester: Ingester;
  let warnings: Warning[];

  beforeEach(async () => {
    server = await startLocalServer({ port: await closedPort() });
    warnings = [];
    ingester = new Ingester({
      baseUrl: server.url,
      ingestToken: server.ingestToken,
      flushIntervalMs: 10,
      minRetryDelayMs: 20,
      maxRetryDelayMs: 200,
      onWarning: (warning) => void warnings.push(warning),
    });
    onTestFinished(async () => {
      await ingester.close();
      await server.close();
    });
  });

  const log = (from: number, to: number): void => {
    for (const n of numbers(from, to)) {
      ingester.add({ timestamp: Date.now(), attributes: { n, level: n === '13' ? 'poison' : 'info' } });
    }
  };
  /** The numbers of the events that arrived, sorted. */
  const arrived = async (): Promise<string[]> =>
    (await stream(server, 'tail(10000) | select(n)')).map(({ n }) => String(n)).sort((a, b) => +a - +b);

  it('delivers every event when the port is closed for one second', async () => {
    log(0, 100);
    await ingester.flush();
    await server.faults.closePort({ forMs: 1_000 });
    for (let from = 100; from < 500; from += 100) {
      log(from, from + 100);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    await eventually(() => expect(ingester.stats.retried).toBeGreaterThan(0));
    expect(server.inspect.store().events).toBe(100);
    await ingester.flush();
    expect(await arrived()).toEqual(numbers(0, 500));
    expect(ingester.stats).toMatchObject({ accepted: 500, delivered: 500 });
  });

  it('sends a batch twice when its acknowledgment is lost, and counts it once', async () => {
    server.faults.add({ path: 'ingest', reset: 'afterStore', times: 1 });
    log(0, 3);
    await ingester.flush();
    expect(await arrived()).toEqual(['0', '0', '1', '1', '2', '2']);
    expect(ingester.stats).toMatchObject({ accepted: 3, delivered: 3, retried: 1 });
  });

  it.each([
    ['before', {}],
    ['inBody', { resetAfterBytes: 10 }],
    ['afterBody', {}],
  ] as const)('delivers each event once when two requests are reset: %s', async (reset, more) => {
    const fault = server.faults.add({ path: 'ingest', reset, times: 2, ...more });
    log(0, 50);
    await ingester.flush();
    expect(await arrived()).toEqual(numbers(0, 50));
    expect(fault.hits).toBe(2);
  });

  it('delivers each event once when every second request gets a 503', async () => {
    const fault = server.faults.add({ path: 'ingest', every: 2, status: 503 });
    for (let from = 0; from < 60; from += 10) {
      log(from, from + 10);
      await ingester.flush();
    }
    expect(await arrived()).toEqual(numbers(0, 60));
    expect(fault.hits).toBe(5);
  });

  it('delivers every event in smaller batches when the server rejects large bodies with 413', async () => {
    const fault = server.faults.add({ path: 'ingest', maxBodyBytes: 2_000 });
    log(0, 200);
    await ingester.flush();
    expect(await arrived()).toEqual(numbers(0, 200));
    expect(fault.hits).toBeGreaterThan(0);
    expect(ingester.stats).toMatchObject({ accepted: 200, delivered: 200 });
  });

  it('drops only the event that the service rejects with 400', async () => {
    const fault = server.faults.add({ path: 'ingest', refuseEvents: { level: 'poison' } });
    log(0, 40);
    await ingester.flush();
    expect(await arrived()).toEqual(numbers(0, 40).filter((n) => n !== '13'));
    expect(fault.hits).toBeGreaterThan(0);
    expect(ingester.stats).toMatchObject({ accepted: 40, delivered: 39, dropped: { rejected: 1 } });
    expect(warnings.length).toBeGreaterThan(0);
  });

  it('waits for a slow response without retrying', async () => {
    server.faults.add({ path: 'ingest', dripBytesPerSecond: 20, times: 1 });
    log(0, 3);
    await ingester.flush();
    expect(await arrived()).toEqual(numbers(0, 3));
    expect(ingester.stats).toMatchObject({ delivered: 3, retried: 0 });
  });
});
