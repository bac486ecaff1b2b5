import pino from 'pino';
import { expect, it } from 'vitest';
import winston from 'winston';
import { Ingester } from '../../../src/ingest/ingester.ts';
import { resumeProcess } from '../../../src/ingest/process/process-exit.ts';
import { createPinoStream } from '../../../transports/pino/index.ts';
import { LogTransport } from '../../../transports/winston/index.ts';
import { startDelivery } from '../../helpers/delivery.ts';

const TURNS = 50;

async function logInTurns(log: (n: number) => void): Promise<void> {
  for (let n = 0; n < TURNS * 20; n++) {
    log(n);
    if (n % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

it.each(['dropOldest', 'dropNewest'] as const)(
  'at exit, the hook onDrop and the event drop have got every dropped record with %s',
  async (overflow) => {
    // With `fetch`, nothing is sent at exit.
    const fetch = async (): Promise<Response> => Response.json({});
    const options = { baseUrl: 'http://127.0.0.1:9', ingestToken: 'token', fetch, onWarning() {} };
    const given = { hook: 0, event: 0 };
    const ingester = new Ingester({
      ...{ ...options, overflow, maxQueueBytes: 5_000 },
      onDrop: ({ records, events }) => {
        expect(events).toHaveLength(records);
        given.hook += records;
      },
    });
    ingester.on('drop', ({ records }) => {
      given.event += records;
    });
    for (let n = 0; n < 5_000; n++) ingester.add({ attributes: { n } });
    await ingester.flush(); // Nothing is left to deliver at exit.
    process.listeners('exit').at(-1)?.(0);
    resumeProcess();
    const { dropped } = ingester.stats;
    expect(dropped.overflow).toBeGreaterThan(4_000);
    expect(given).toEqual({ hook: dropped.overflow, event: dropped.overflow });
  },
);

it.each(['dropOldest', 'dropNewest'] as const)(
  'an onDrop hook can log to pino with %s without a loop, and receives over 500 drops',
  async (overflow) => {
    const { sink, options } = await startDelivery();
    sink.answer = () => ({ status: 503 });
    let reported = 0;
    const stream = createPinoStream({
      ...{ ...options, overflow, maxQueueBytes: 5_000, closeTimeoutMs: 200 },
      onDrop: ({ records }) => {
        reported += records;
        logger.warn(`lost ${records}`);
      },
    });
    const logger = pino(stream);
    await logInTurns((n) => logger.info({ n }, 'text'));
    await new Promise((resolve) => stream.once('close', resolve).end());
    const { dropped, accepted } = stream.stats;
    expect(dropped.overflow + dropped.closed).toBe(accepted);
    expect(reported).toBeGreaterThan(TURNS * 10);
    expect(reported).toBeLessThanOrEqual(accepted);
  },
  30_000,
);

it('an onDrop hook can log to winston without a loop', async () => {
  const { sink, options } = await startDelivery();
  sink.answer = () => ({ status: 503 });
  let calls = 0;
  const transport = new LogTransport({
    ...{ ...options, worker: false, maxQueueBytes: 5_000, closeTimeoutMs: 200 },
    onDrop: ({ records }) => {
      calls++;
      logger.warn(`lost ${records}`);
    },
  });
  const logger = winston.createLogger({ transports: [transport] });
  await logInTurns((n) => logger.info('text', { n }));
  await new Promise((resolve) => logger.once('finish', resolve).end());
  expect(calls).toBeGreaterThan(0);
});
