import { describe, expect, it } from 'vitest';
import { createPinoStream } from '../../transports/pino/index.ts';
import { startDelivery } from '../helpers/delivery.ts';
import { IngestSink } from '../helpers/ingest-sink.ts';
import { type NodeRun, runNode } from '../helpers/run-node.ts';

const COUNT = 1_000;
const ALL = Array.from({ length: COUNT }, (_, index) => index + 1);

/** Ways to end, with the exit code or signal. */
const ENDINGS: Readonly<Record<string, Pick<NodeRun, 'code' | 'signal'>>> = {
  natural: { code: 0, signal: null },
  exit: { code: 3, signal: null },
  throw: { code: 1, signal: null },
  end: { code: 3, signal: null },
  'kill on SIGTERM': { code: null, signal: 'SIGTERM' },
};

/** Far less than is logged, so that nearly all records wait outside of the queue. */
const BLOCK = { overflow: 'block', maxQueueBytes: 2_000, closeTimeoutMs: 9_000 };

/** Runs a program that logs far more than the queue holds, and ends immediately. */
async function run(ending: string, answer: IngestSink['answer'], more: object = {}) {
  const sink = await IngestSink.open();
  sink.answer = answer;
  const settings = {
    url: sink.url,
    count: COUNT,
    logging: 'createPinoStream',
    ending,
    more: { ...BLOCK, ...more },
  };
  try {
    const result = await runNode('test/fixtures/log-and-end.mjs', { SETTINGS: JSON.stringify(settings) });
    const told = [...result.stderr.matchAll(/^logclient: (\d+) records? w\S+ dropped: (.*)$/gm)];
    return {
      ...result,
      numbers: sink.events.map(({ attributes }) => attributes.n),
      reported: told.reduce((sum, [, records]) => sum + Number(records), 0),
      reasons: told.map(([, , reason]) => reason!),
    };
  } finally {
    await sink.close();
  }
}

describe.concurrent('Records that wait for capacity in a blocking queue', () => {
  it.each(Object.keys(ENDINGS))('are delivered in order when the program ends: %s', async (ending) => {
    const outcome = await run(ending, (_, index) => (index === 0 ? { status: 503 } : {}));
    expect(outcome).toMatchObject({ ...ENDINGS[ending]!, numbers: ALL, reported: 0 });
  });

  it.each(Object.keys(ENDINGS))(
    'are counted and reported as dropped when the program ends in an outage: %s',
    async (ending) => {
      const outcome = await run(ending, () => ({ status: 503 }), { closeTimeoutMs: 500 });
      expect(outcome).toMatchObject({ ...ENDINGS[ending]!, numbers: [], reported: COUNT });
      for (const reason of outcome.reasons) expect(reason).toMatch(/not delivered before close/);
    },
  );

  it('are each delivered or reported as dropped if the service hangs after five requests', async () => {
    const more = { maxBatchRecords: 100 };
    const outcome = await run('exit', (_, index) => (index < 5 ? {} : { hang: true }), more);
    expect(outcome.code).toBe(3);
    expect(outcome.numbers).toEqual(ALL.slice(0, outcome.numbers.length));
    expect(outcome.numbers.length + outcome.reported).toBe(COUNT);
    expect(outcome.numbers.length).toBeGreaterThan(0);
  });
});

it('a blocking queue lets a stream end in an outage and passes the dropped records to onDrop', async () => {
  const { sink, options } = await startDelivery();
  sink.answer = () => ({ status: 503 });
  let dropped = 0;
  const stream = createPinoStream({
    ...options,
    closeTimeoutMs: 500,
    overflow: 'block',
    maxQueueBytes: 200,
    onDrop: ({ reason, records }) => {
      expect(reason).toBe('closed');
      dropped += records;
    },
  });
  for (const n of ALL) stream.write(`{"level":30,"n":${n}}\n`);
  stream.end('{"level":30,"msg":"without an end"}');
  await new Promise((resolve) => stream.once('close', resolve));
  expect(dropped).toBe(COUNT + 1);
  expect(stream.stats).toMatchObject({
    accepted: COUNT + 1,
    dropped: { closed: COUNT + 1 },
    queuedRecords: 0,
  });
});

it.each(['end', 'destroy'] as const)(
  '%s() delivers all records that wait for capacity in a blocking queue',
  async (method) => {
    const { sink, options } = await startDelivery();
    const stream = createPinoStream({
      ...options,
      overflow: 'block',
      maxQueueBytes: 200,
    });
    for (const n of ALL) stream.write(`{"level":30,"n":${n}}\n`);
    stream[method]();
    await new Promise((resolve) => stream.once('close', resolve));
    expect(sink.events.map(({ attributes }) => attributes.n)).toEqual(ALL);
  },
);
