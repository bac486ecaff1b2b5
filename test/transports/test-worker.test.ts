import { expect, it } from 'vitest';
import { startDelivery } from '../helpers/delivery.ts';
import { runNode } from '../helpers/run-node.ts';

it('a logger delivers when the worker of a test runner ends, before it is killed', async () => {
  const { sink } = await startDelivery();
  const { signal } = await runNode('test/fixtures/test-worker.mjs', { SINK: sink.url });
  expect([signal, sink.events.length]).toEqual(['SIGKILL', 10]);
});
