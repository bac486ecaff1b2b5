import pino from 'pino';
import { expect, it } from 'vitest';
import winston from 'winston';
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
