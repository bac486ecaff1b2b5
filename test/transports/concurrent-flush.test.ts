import { once } from 'node:events';
import { resolve } from 'node:path';
import pino from 'pino';
import { expect, it } from 'vitest';
import { flush } from '../../transports/pino/index.ts';
import { startDelivery } from '../helpers/delivery.ts';

const TARGET = resolve(import.meta.dirname, '../../dist/pino.js');

// A process warning fails the test.
it('more than ten flushes of one pino.transport can run at the same time', async () => {
  const { sink } = await startDelivery();
  const stream = pino.transport({ target: TARGET, options: { baseUrl: sink.url, ingestToken: 'token' } });
  const logger = pino(stream);
  logger.info('hello');
  await Promise.all(Array.from({ length: 20 }, () => flush(logger)));
  expect(sink.events).toHaveLength(1);
  stream.end();
  await once(stream, 'close');
});
