import { expect, it } from 'vitest';
import { IngestSink } from '../helpers/ingest-sink.ts';
import { runNode } from '../helpers/run-node.ts';

const NAMES = ['createPinoTransport', 'winston worker', 'createPinoStream', 'Ingester'];

it('onDrop receives every dropped record that an exit listener has logged, with and without a worker', async () => {
  const sink = await IngestSink.open();
  const settings = { url: sink.url, names: NAMES, count: 1_000 };
  const { stdout, stderr } = await runNode('test/fixtures/drop-at-exit.mjs', {
    SETTINGS: JSON.stringify(settings),
  });
  await sink.close();
  expect(stderr).toBe('');
  const ends = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(ends.map(({ name }) => name)).toEqual(NAMES);
  for (const { hooked, dropped } of ends) expect(hooked).toBe(dropped);
  for (const { dropped } of ends) expect(dropped).toBeGreaterThan(500);
  expect(sink.events.length + ends.reduce((sum, { dropped }) => sum + dropped, 0)).toBe(4 * 1_000 - 1);
});

it('At exit, one worker delivers the records of 60 ingesters', async () => {
  const sink = await IngestSink.open();
  const settings = { url: sink.url, ingesters: 60, records: 5 };
  const { stderr } = await runNode('test/fixtures/exit-with-ingesters.mjs', {
    SETTINGS: JSON.stringify(settings),
  });
  await sink.close();
  expect(stderr).toBe('');
  expect(sink.events).toHaveLength(300);
});

it('A program that logs in each beforeExit event ends, and its records arrive', async () => {
  const sink = await IngestSink.open();
  const settings = { url: sink.url, names: NAMES };
  const { code, stdout, stderr } = await runNode('test/fixtures/log-before-exit.mjs', {
    SETTINGS: JSON.stringify(settings),
  });
  await sink.close();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(sink.events).toHaveLength((Number(stdout) + 1) * NAMES.length);
});
