import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import fc from 'fast-check';
import pino, { type LoggerOptions, stdTimeFunctions } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import winston from 'winston';
import { WrittenTimes } from '../../../src/core/records/formats/written-times.ts';
import { levelLabel } from '../../../src/core/records/logger-line.ts';
import { LogClient, type LogEvent } from '../../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { LineQuery } from '../../../src/server/line-query/index.ts';
import { lineEventOf } from '../../../src/tools/cli/ingest/line-event.ts';
import { accessTo, hostOf, runCommand } from '../../helpers/cli-run.ts';
import { cases } from '../../helpers/laws.ts';

/** The line of pino for a failed order. */
function pinoLine(options: LoggerOptions = {}): string {
  const lines: string[] = [];
  const logger = pino({ level: 'trace', ...options }, { write: (line) => void lines.push(line) });
  logger.error({ orderId: 7 }, 'order failed');
  return lines.join('');
}

/** The line of winston by default, with its `timestamp()`. */
async function winstonLine(): Promise<string> {
  return new Promise((resolve) => {
    const stream = new Writable({ write: (chunk) => resolve(String(chunk)) });
    const format = winston.format.combine(winston.format.timestamp(), winston.format.json());
    const logger = winston.createLogger({ format, transports: [new winston.transports.Stream({ stream })] });
    logger.error('order failed', { orderId: 7 });
  });
}

const BUNYAN =
  '{"name":"shop","hostname":"web-1","pid":1,"level":50,"orderId":7,"msg":"order failed","time":"2026-01-01T10:00:00.123Z","v":0}\n';

async function rowsOf(queryString: string, text: string): Promise<readonly LogEvent[]> {
  const rows: LogEvent[] = [];
  for await (const some of new LineQuery(queryString).run([text])) rows.push(...some);
  return rows;
}

function eventText(line: string, fields: Readonly<Record<string, string>> = {}, withText = false): string {
  const event = lineEventOf(line, fields, new WrittenTimes());
  return event.textAt(event.time ?? 0, withText);
}

describe('Logger line', () => {
  it.each([
    ['pino', () => pinoLine()],
    ['pino with ISO time', () => pinoLine({ timestamp: stdTimeFunctions.isoTime })],
    ['pino with time in seconds', () => pinoLine({ timestamp: stdTimeFunctions.unixTime })],
    ['pino with `timestamp`', () => pinoLine({ timestamp: () => `,"timestamp":${Date.now()}` })],
    ['winston', winstonLine],
  ])('from %s has a level label and its own time', async (_, write) => {
    const before = Math.floor(Date.now() / 1000) * 1000;
    const line = await write();
    const [row, ...more] = await rowsOf('level=error orderId=7', line);
    expect(more).toEqual([]);
    expect(row).toMatchObject({ level: 'error', '@rawstring': line.trim() });
    expect([row!.msg, row!.message]).toContain('order failed');
    expect(Number(row!['@timestamp'])).toBeGreaterThanOrEqual(before);
    expect(Number(row!['@timestamp'])).toBeLessThanOrEqual(before + 10_000);
    const event = JSON.parse(eventText(line, {}, true));
    expect(event.attributes.level).toBe('error');
    expect(new Date(event.timestamp).getTime()).toBe(Number(row!['@timestamp']));
  });

  it('from bunyan has a level label and its own time', async () => {
    expect(await rowsOf('level=error', BUNYAN)).toMatchObject([
      { '@timestamp': Date.UTC(2026, 0, 1, 10, 0, 0, 123), level: 'error', msg: 'order failed' },
    ]);
  });

  it.each([
    ['a custom level', '{"level":35,"time":1700000000123}', '35'],
    ['a level without a time', '{"level":50}', '50'],
    ['a level of a game', '{"level":50,"message":"won"}', '50'],
    ['a level and a `msg` that is an object', '{"level":50,"msg":{"id":7}}', '50'],
    ['a level of syslog and a `msg`', '{"level":3,"msg":"order failed"}', '3'],
    ['a time that is no time', '{"level":50,"time":12}', '50'],
    ['a label', '{"level":"error","time":1700000000123}', 'error'],
  ])('with %s is unchanged', async (_, line, level) => {
    expect(await rowsOf('', line)).toMatchObject([{ level }]);
    const event = JSON.parse(eventText(line));
    expect(event.attributes).toEqual(JSON.parse(line));
  });

  it.each([
    ['on a line of its own', ''],
    ['in a line of Docker', '{"log":'],
    ['in a line of Kubernetes', '2026-01-01T10:00:00.1Z stdout F '],
  ])('of pino without a time has a level label %s', async (_, envelope) => {
    const line = pinoLine({ timestamp: false }).trim();
    const docker = `${envelope}${JSON.stringify(`${line}\n`)},"stream":"stdout","time":"2026-01-01T10:00:00.1Z"}`;
    const passed = envelope.startsWith('{') ? docker : `${envelope}${line}`;
    // The layout of the second line is known.
    const query = 'level=error msg="order failed" | select([level])';
    expect(await rowsOf(query, `${passed}\n`.repeat(2))).toEqual([{ level: 'error' }, { level: 'error' }]);
    expect(JSON.parse(eventText(passed)).attributes.level).toBe('error');
  });

  it('is shipped with a level label and otherwise unchanged, with all digits of numbers', () => {
    const anyRecord = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true });
    const nested = fc.constantFrom({}, { child: { level: 50 } }, { text: '"level":50' });
    const level = fc.constantFrom(10, 20, 30, 40, 50, 60);
    fc.assert(
      fc.property(anyRecord, nested, level, (record, more, number) => {
        const members = { ...record, ...more, level: number, time: 1_700_000_000_123 };
        const text = eventText(JSON.stringify(members));
        const expected = { ...members, level: levelLabel(number, members.time, false) };
        expect(JSON.parse(text).attributes).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
      cases(100),
    );
  });

  it('keeps the digits of its numbers when its level or other fields are replaced', () => {
    const event = eventText;
    const line =
      '{ "level" : 50, "time": 1700000000123, "a":{"level":1.50}, "big": 12345678901234567890, "a\\n":-0}';
    const members = '"time":1700000000123,"a":{"level":1.50},"big":12345678901234567890';
    expect(event(line)).toContain(`{"level":"error",${members},"a\\n":-0}`);
    expect(event(line, { big: 'x', a: 'y', 'a\n': 'z' })).toContain(
      '{"level":"error","time":1700000000123,"a":"y","big":"x","a\\n":"z"}',
    );
    expect(event(line, { run: '"7"' })).toContain(`{"level":"error",${members},"a\\n":-0,"run":"\\"7\\""}`);
    expect(event('{"n":1.50,"n":2.50}', { run: '7' })).toContain('{"n":2.50,"run":"7"}');
    expect(event('{}', { run: '7' })).toContain('"attributes":{"run":"7"}');
    expect(event(' {"n": 1.50} ')).toContain('"attributes":{"n": 1.50}');
  });
});

describe('Logger lines on the command line', () => {
  let server: LocalServer;
  let folder: string;
  beforeAll(async () => {
    server = await startLocalServer();
    folder = await mkdtemp(join(tmpdir(), 'logclient-logger-lines-'));
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('are found by their level label with query --stdin', async () => {
    const stdin = `${pinoLine()}${pinoLine({ level: 'fatal' })}`;
    const run = await runCommand(['query', '--stdin', 'level=error | select([level, msg])'], { stdin });
    expect(run).toMatchObject({ code: 0, stdout: '{"level":"error","msg":"order failed"}\n' });
  });

  it('are printed and shipped by ingest --echo', async () => {
    const file = join(folder, 'app.log');
    await writeFile(file, `${BUNYAN}plain text\n`);
    const env = { ...accessTo(server), NO_COLOR: '1' };
    const run = await runCommand(['ingest', '--echo', file, '--tag', 'service=shop'], { env, terminal: 100 });
    expect(run).toMatchObject({
      code: 0,
      stderr: `logclient: shipped 2 records to ${hostOf(server)}, repository sandbox.\n`,
    });
    expect(run.stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:00\.123 {2}error {2}shop {2}order failed {2}/);
    expect(run.stdout).toContain('shop  plain text\n');
    const { url: baseUrl, repository, userToken } = server;
    const client = new LogClient({ baseUrl, repository, userToken });
    expect(await client.query('level=error #service=shop', { start: 0 })).toHaveLength(1);
  });

  it('are printed by ingest --echo as they are sent: without secrets', async () => {
    const words = ['ingest', '--echo', '--redact', '--redact-key', 'ssn'];
    const stdin = '{"msg":"a","password":"hunter2","ssn":"078-05-1120"}\npassword=hunter3 is text\n';
    const run = await runCommand(words, { env: accessTo(server), stdin });
    expect(run.stdout).toContain('password=[redacted]');
    expect(run.stdout).not.toMatch(/hunter|078-05/);
  });

  it('show their level on a terminal as shipped, so a filter on it finds them', async () => {
    const { url: baseUrl, repository, userToken } = server;
    const attributes = { level: 40, time: Date.now(), msg: 'slow', run: 'numeric' };
    await new LogClient({ baseUrl, repository, userToken }).ingestJsonData([
      { events: [{ timestamp: attributes.time, attributes }] },
    ]);
    const words = ['query', 'run=numeric'];
    const env = { ...accessTo(server), NO_COLOR: '1' };
    const shown = await runCommand(words, { env, terminal: 100 });
    expect(shown.stdout).toMatch(/ {2}40 {5}slow/);
    const found = await runCommand(['query', 'run=numeric level=40'], { env });
    expect(found.stdout).toContain('"level":"40"');
  });
});
