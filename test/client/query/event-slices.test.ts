import { describe, expect, it } from 'vitest';
import { type EventSlice, eventSlices } from '../../../src/client/query/event-slices.ts';
import type { PollResult } from '../../../src/client/query/poll-result.ts';
import type { StaticQueryJob } from '../../../src/client/query/static-query-job.ts';

const BEGIN = 1_770_000_000_000;
const DAY = 86_400_000;

interface Row {
  readonly n: number;
  readonly '@id'?: string;
  readonly '@timestamp'?: number;
}

/** Events at these times, in pages of 200, newest first; counts jobs and pages. */
function source(times: readonly number[], fields: readonly string[]) {
  const cost = { jobs: 0, pages: 0 };
  const rows = times.map((time, n) => ({ n, '@id': `id_${n}`, '@timestamp': time }));
  const createJob = async ({ from, to }: { from: number; to: number }) => {
    cost.jobs++;
    const found = rows
      .filter((row) => row['@timestamp'] >= from && row['@timestamp'] <= to)
      .reverse()
      .map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => fields.includes(name))));
    const job = {
      hasMore: true,
      async *pollUntilDone() {
        for (let at = 0; at === 0 || at < found.length; at += 200) {
          cost.pages++;
          job.hasMore = at + 200 < found.length;
          yield { events: found.slice(at, at + 200) } as unknown as PollResult<Row>;
        }
      },
      async [Symbol.asyncDispose]() {},
    };
    return job as unknown as StaticQueryJob<Row>;
  };
  return { cost, createJob };
}

async function read(times: readonly number[], fields: readonly string[]) {
  const { cost, createJob } = source(times, fields);
  const tooMany: unknown[] = [];
  const slices: EventSlice<Row>[] = [];
  for await (const slice of eventSlices<Row>({
    from: BEGIN,
    to: BEGIN + DAY,
    field: '@timestamp',
    createJob,
    queryString: '*',
    call: {},
    onTooMany: (interval) => tooMany.push(interval),
  })) {
    slices.push(slice);
  }
  return { cost, tooMany, slices, numbers: slices.flatMap(({ events }) => events.map(({ n }) => n)) };
}

const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const FIELDS = ['n', '@id', '@timestamp'];

describe('Slices of an interval', () => {
  it('contain all events, oldest first, at most 10,000 each, at twice the cost of one read', async () => {
    const { slices, numbers, cost } = await read(
      range(100_000).map((n) => BEGIN + n * 860),
      FIELDS,
    );
    expect(numbers).toEqual(range(100_000));
    for (const { events } of slices) expect(events.length).toBeLessThanOrEqual(10_000);
    expect(cost.pages).toBeLessThan(1_000);
  });

  it('need one job if memory is large enough', async () => {
    const { cost, numbers } = await read([BEGIN, BEGIN + 5, BEGIN + DAY], FIELDS);
    expect([numbers, cost]).toEqual([range(3), { jobs: 1, pages: 1 }]);
  });

  it.each([[['n']], [['n', '@timestamp']]])(
    'find events that cannot be paged (%j) in a short burst on a quiet day',
    async (fields) => {
      const times = range(1_000).map((n) => BEGIN + DAY - 5_000 + n);
      const { numbers, cost, tooMany } = await read(times, fields);
      expect([numbers, tooMany]).toEqual([range(1_000), []]);
      expect(cost.jobs).toBeLessThan(60);
    },
  );

  it('contain all events of one millisecond, however many', async () => {
    const { numbers } = await read(range(12_000).fill(BEGIN + 77), FIELDS);
    expect(numbers).toHaveLength(12_000);
    expect(new Set(numbers).size).toBe(12_000);
  });

  it('report a millisecond with more than 200 events that cannot be paged', async () => {
    const { numbers, tooMany } = await read([...range(300).fill(BEGIN + 77), BEGIN + 90], ['n']);
    expect(tooMany).toEqual([{ from: BEGIN + 77, to: BEGIN + 77 }]);
    expect(numbers).toEqual([...range(300).slice(100), 300]);
  });
});
