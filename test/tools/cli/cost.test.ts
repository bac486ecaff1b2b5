import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { createPinoStream } from '../../../transports/pino/index.ts';
import { runCommand } from '../../helpers/cli-run.ts';
import { startDelivery } from '../../helpers/delivery.ts';

interface CostRow {
  readonly by: string;
  readonly name: string;
  readonly bytes: number;
  readonly percent: number;
  readonly bytesPerDay: number | null;
  readonly bytesPerMonth: number | null;
}

/** `@timestamp` and 13 digits. */
const TIMESTAMP_BYTES = 23;

async function costOf(text: string, ...flags: string[]): Promise<CostRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cost-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'app.log');
  writeFileSync(path, text);
  const run = await runCommand(['cost', path, '--json', ...flags]);
  expect(run.code).toBe(0);
  return JSON.parse(run.stdout);
}

it('cost reads the level of go-kit, in lvl', async () => {
  const rows = await costOf('ts=2026-11-28T04:14:55Z lvl=error msg="a b"\n{"lvl":"ERROR"}\n');
  expect(rows.filter(({ by }) => by === 'level').map(({ name }) => name)).toEqual(['error']);
});

it('cost names the service of --tag, if a line has none', async () => {
  const rows = await costOf('{"msg":"a"}\n{"msg":"b","service":"own"}\n', '--tag', 'service=shop');
  const names = rows.filter(({ by }) => by === 'service').map(({ name }) => name);
  expect(names.toSorted()).toEqual(['own', 'shop']);
});

it('cost equals, to the byte, what the formula gives for the events that the pino transport sends', async () => {
  const { sink, options } = await startDelivery();
  const lines: string[] = [];
  const bodies: string[] = [];
  const stream = createPinoStream({ ...options, compression: 'none', tags: { service: 'shöp' } });
  sink.answer = (request) => {
    bodies.push(JSON.stringify(request.groups));
    return {};
  };
  const logger = pino(
    {},
    pino.multistream([{ stream }, { stream: { write: (line: string) => void lines.push(line) } }]),
  );
  for (let n = 0; n < 200; n++) {
    logger.info(
      { n: n / 8, größe: 'ü'.repeat(n % 7), req: { headers: { a: 'x'.repeat(n) } } },
      `order "${n}" placed\n`,
    );
    if (n % 3 === 0) logger.error(new Error(`failed ${n}`));
  }
  await new Promise((resolve) => stream.once('close', resolve).end());
  const sent = sink.events.map(({ attributes }) => Buffer.byteLength(JSON.stringify(attributes)));
  const tagBytes = Buffer.byteLength('serviceshöp');
  const expected = sent.reduce((sum, bytes) => sum + bytes + TIMESTAMP_BYTES + tagBytes, 0);
  const rows = await costOf(lines.join(''), '--tag', 'service=shöp');
  expect(rows[0]).toMatchObject({ by: 'total', bytes: expected, percent: 100 });
  const ofLevels = rows.filter(({ by }) => by === 'level').reduce((sum, { bytes }) => sum + bytes, 0);
  expect(ofLevels).toBe(expected);
});

it('cost keeps the digits of numbers, counts text as it is, and names levels, services and patterns', async () => {
  const access = '10.0.0.1 - - [30/Nov/2026:10:00:00 +0000] "GET /shop/17?q=a HTTP/1.1" 200 512';
  const text = `{"level":"info","service":"shop","time":1700000000000,"a":1.500}\nplain ü text 1\n${access}\n`;
  const rows = await costOf(text);
  const json = '{"level":"info","service":"shop","a":1.500}'.length + TIMESTAMP_BYTES;
  const plain = Buffer.byteLength('plain ü text 1') + TIMESTAMP_BYTES;
  expect(rows.find(({ by }) => by === 'total')?.bytes).toBe(json + plain + access.length + TIMESTAMP_BYTES);
  expect(rows).toContainEqual(expect.objectContaining({ by: 'pattern', name: 'GET /shop/‹n›' }));
  expect(rows).toContainEqual(expect.objectContaining({ by: 'service', name: 'shop', bytes: json }));
  expect(rows).toContainEqual(
    expect.objectContaining({ by: 'pattern', name: 'plain ü text ‹n›', bytes: plain }),
  );
  expect(rows).toContainEqual(
    expect.objectContaining({ by: 'field', name: 'a', bytes: '"a":1.500,'.length }),
  );
});

it('cost says what dropping debug records of a service and removing a large field that is no ID and does not vary would save', async () => {
  const lines = Array.from({ length: 100 }, (_, n) => ({
    level: n % 4 === 0 ? 20 : 30,
    time: 1_700_000_000_000 + n * 864,
    name: n % 4 === 0 ? 'cache' : 'shop',
    reqId: 'y'.repeat(100),
    responseTime: n / 7,
    userAgent: `${n} `.repeat(60),
    req: { id: 'z'.repeat(100), headers: { accept: 'x'.repeat(200) } },
    msg: `n ${n}`,
  }));
  const rows = await costOf(lines.map((line) => JSON.stringify(line)).join('\n'));
  const [total] = rows;
  const savings = rows.filter(({ by }) => by === 'saving');
  expect(savings.map(({ name }) => name)).toEqual([
    "remove req, if no query uses it: in pino, redact: { paths: ['req'], remove: true }",
    "remove req.headers, if no query uses it: in pino, redact: { paths: ['req.headers'], remove: true }",
    expect.stringContaining('remove req.headers.accept'),
    "drop debug of cache: set its level to 'info'",
  ]);
  expect(savings.at(-1)?.percent).toBeCloseTo(-25, 0);
  expect(total?.bytesPerDay).toBe(Math.round((86_400_000 * total!.bytes) / (99 * 864)));
});

it.each<[string, object, RegExp]>([
  [
    'have their time in @timestamp',
    { '@timestamp': '2026-11-28T10:00:00.000Z', message: 'a' },
    /1 record with the time in @timestamp/,
  ],
  [
    'have an error without properties',
    { level: 'error', message: 'a', err: {} },
    /1 record with an error that has no/,
  ],
  ['are over 1 MB', { message: 'a'.repeat(1_000_001) }, /1 record over 1 MB/],
])(
  'cost reports records that a transport sends with another size: those that %s',
  async (_, record, note) => {
    const folder = mkdtempSync(join(tmpdir(), 'cost-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'app.log'), `${JSON.stringify(record)}\n`);
    expect((await runCommand(['cost', join(folder, 'app.log')])).stderr).toMatch(note);
  },
);

it('cost says that its volume per day is a rate if the records span less than an hour', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cost-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'app.log');
  const notesOf = async (...times: readonly number[]): Promise<string> => {
    writeFileSync(file, times.map((time) => `${JSON.stringify({ time, msg: 'a' })}\n`).join(''));
    return (await runCommand(['cost', file])).stderr;
  };
  expect(await notesOf(1_790_000_000_000, 1_790_000_000_001)).toContain('bytesPerDay is only their rate');
  expect(await notesOf(1_790_000_000_000, 1_790_000_000_000)).toContain('null without one');
  expect(await notesOf(1_790_000_000_000, 1_790_003_600_000)).not.toContain('bytesPerDay');
});

it('cost shows no volume per month for less than an hour, and ignores times before 2000', async () => {
  const line = (time: number): string => `${JSON.stringify({ time, msg: 'a' })}\n`;
  const [start, minute] = [Date.UTC(2026, 10, 28), 60_000];
  const [short] = await costOf(line(start) + line(start + 30 * minute));
  expect(short).toMatchObject({ bytesPerDay: expect.any(Number), bytesPerMonth: null });
  const [long] = await costOf(line(start) + line(start + 60 * minute));
  const [unset] = await costOf(line(17) + line(start) + line(start + 60 * minute));
  expect(unset!.bytesPerDay! / unset!.bytes).toBeCloseTo(long!.bytesPerDay! / long!.bytes, 3);
});
