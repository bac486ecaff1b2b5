import { resolve } from 'node:path';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { createPinoStream, createPinoTransport, flush } from '../../transports/pino/index.ts';
import { LogTransport } from '../../transports/winston/index.ts';
import { startDelivery } from '../helpers/delivery.ts';

const TARGET = resolve(import.meta.dirname, '../../dist/pino.js');

type Options = Readonly<Record<string, unknown>>;

const shared = { closeTimeoutMs: 300, flushIntervalMs: 1, ingestToken: 'token' };

/** Each logs one record. @returns the result of a flush */
const FLUSHES: Readonly<Record<string, (options: Options) => Promise<boolean>>> = {
  'pino.transport': (options) => logged(pino.transport({ target: TARGET, options })),
  'pino.transport with targets': (options) =>
    logged(pino.transport({ targets: [{ target: TARGET, level: 'info', options }] })),
  createPinoTransport: (options) => logged(createPinoTransport({ ...options, onWarning: () => {} })),
  createPinoStream: (options) => logged(createPinoStream({ ...options, onWarning: () => {} })),
  winston: async (options) => {
    const transport = new LogTransport({ ...options, onWarning: () => {} });
    onTestFinished(() => void transport.destroy());
    transport.log({ level: 'info', message: 'hello', [Symbol.for('level')]: 'info' } as never, () => {});
    return transport.flush();
  },
};

async function logged(
  stream: pino.DestinationStream & { end(): void; on(name: 'error', ignore: () => void): unknown },
) {
  stream.on('error', () => {});
  onTestFinished(() => stream.end());
  const logger = pino(stream);
  logger.info('hello');
  return flush(logger);
}

it.each(Object.entries(FLUSHES))('a flush of %s returns whether all records are settled', async (_, run) => {
  const { sink } = await startDelivery();
  expect(await run({ ...shared, baseUrl: sink.url })).toBe(true);
  expect(sink.events).toHaveLength(1);
  expect(await run({ ...shared, baseUrl: 'http://127.0.0.1:9' })).toBe(false);
});

it('a flush of pino.transport returns false if the transport could not start', async () => {
  expect(await FLUSHES['pino.transport']!({ baseUrl: 'nowhere' })).toBe(false);
});
