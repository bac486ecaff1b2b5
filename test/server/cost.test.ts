import { afterEach, beforeEach, expect, it } from 'vitest';
import { CostCollector, type IngestCost } from '../../src/core/records/ingest-cost.ts';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { StoredLines } from '../../src/server/line-query/stored-lines.ts';
import { ingest, post } from './query-calls.ts';

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer();
});
afterEach(() => server.close());

const START = Date.now() - 60_000;
/** `@timestamp` and 13 digits. */
const TIMESTAMP_BYTES = 23;

function request(queryString: string, init = {}): Promise<Response> {
  const body = JSON.stringify({ queryString, start: 0 });
  return post(server, `repositories/${server.repository}/cost`, body, init);
}

async function costOf(queryString: string): Promise<IngestCost> {
  const response = await request(queryString);
  expect(response.status).toBe(200);
  return (await response.json()) as IngestCost;
}

const RECORDS = Array.from({ length: 200 }, (_, n) => ({
  level: n % 4 === 0 ? 'debug' : 'info',
  message: `größe ${n} of ${'x'.repeat(n)}`,
  req: { headers: { accept: 'y'.repeat(100) }, n: n / 8 },
}));

it('the cost of a result equals, to the byte, what the formula gives for its events and tags', async () => {
  const events = RECORDS.map((attributes, n) => ({ timestamp: START + n, attributes }));
  await ingest(server, events, { service: 'shöp' });
  const tagBytes = Buffer.byteLength('serviceshöp');
  const bytesOf = (records: readonly object[]): number =>
    records.reduce(
      (sum, record) => sum + Buffer.byteLength(JSON.stringify(record)) + TIMESTAMP_BYTES + tagBytes,
      0,
    );
  const all = await costOf('');
  const [total] = all.rows;
  expect(all.records).toBe(200);
  expect(total).toMatchObject({ by: 'total', bytes: bytesOf(RECORDS), percent: 100 });
  const debug = RECORDS.filter(({ level }) => level === 'debug');
  const ofDebug = await costOf('level=debug');
  expect(ofDebug.records).toBe(50);
  expect(ofDebug.rows[0]).toMatchObject({ by: 'total', bytes: bytesOf(debug) });
  expect(all.rows).toContainEqual(
    expect.objectContaining({ by: 'level', name: 'debug', bytes: bytesOf(debug) }),
  );
  expect(total?.bytesPerDay).toBe(Math.round((86_400_000 * total!.bytes) / 199));
  expect(all.rows.filter(({ by }) => by === 'saving').map(({ name }) => name)).toContain(
    "drop debug of shöp: set its level to 'info'",
  );
});

it('the cost of a result is that of logclient cost for the same records', async () => {
  await ingest(
    server,
    RECORDS.map((attributes, n) => ({ timestamp: START + n, attributes })),
  );
  const collector = new CostCollector();
  for (const [n, record] of RECORDS.entries()) collector.add(JSON.stringify({ time: START + n, ...record }));
  expect(await costOf('')).toEqual(collector.result());
});

it('the cost of stored lines of a logger is that of logclient cost for these lines', async () => {
  const times = ['time', 'timestamp', '@timestamp', 'ts'].map((name, n) => {
    const time = [
      START + n,
      new Date(START + n).toISOString(),
      new Date(START + n).toISOString(),
      (START + n) / 1000,
    ];
    return { [name]: time[n], level: 30, pid: 7, msg: `line ${n}` };
  });
  const lines = [
    ...times.map((record) => JSON.stringify(record)),
    `${new Date(START).toISOString()} plain text`,
  ];
  const collector = new CostCollector();
  for (const line of lines) collector.add(line);
  StoredLines.into(server, {}).add(Buffer.from(lines.join('\n')));
  expect((await costOf('')).rows).toEqual(collector.result().rows);
});

it('rejects a cost without a token, and of a query with an aggregate', async () => {
  expect((await request('', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
  const response = await request('count()');
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('omit its aggregate function');
});
