import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEXT_FORMATS } from '../../../src/core/records/formats/text-formats.ts';
import { WrittenTimes } from '../../../src/core/records/formats/written-times.ts';
import { CostCollector } from '../../../src/core/records/ingest-cost.ts';
import { loggedFields, loggedLine } from '../../../src/core/records/logged-line.ts';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { LineQuery } from '../../../src/server/line-query/index.ts';
import { accessTo, runCommand } from '../../helpers/cli-run.ts';
import { TEXT_EXAMPLES } from './text-format-examples.ts';

/** When the first example of each format was written; the others follow each minute. */
const FIRST = Date.UTC(2026, 10, 28, 4, 14, 55, 759);
const MINUTE_MS = 60_000;
/** When the files of examples were written. */
const MODIFIED = Date.UTC(2026, 10, 28, 12);
const JSON_TIMES: Readonly<Record<string, (time: Date) => object>> = {
  pino: (time) => ({ level: 50, time: time.getTime(), pid: 1, msg: 'order failed' }),
  'pino with ISO time': (time) => ({ level: 30, time: time.toISOString(), msg: 'order placed' }),
  bunyan: (time) => ({ name: 'shop', level: 40, msg: 'order is slow', time: time.toISOString(), v: 0 }),
  winston: (time) => ({ level: 'error', message: 'order failed', timestamp: time.toISOString() }),
  'winston with a time of its own': (time) => ({
    level: 'info',
    time: 'soon',
    timestamp: time.toISOString(),
  }),
  zap: (time) => ({ level: 'info', ts: time.getTime() / 1000, caller: 'a.go:7', msg: 'order placed' }),
  'zap with nanoseconds': (time) => ({ level: 'warn', ts: time.getTime() * 1e6, msg: 'order is slow' }),
  'zap with microseconds': (time) => ({ level: 'warn', ts: time.getTime() * 1e3, msg: 'order is slow' }),
  slog: (time) => ({
    time: time.toISOString().replace('Z', '000123+00:00'),
    level: 'INFO',
    msg: 'order placed',
  }),
  CLEF: (time) => ({ '@t': time.toISOString(), '@mt': 'order {Id} failed', '@l': 'Error', Id: 7 }),
  MongoDB: (time) => ({ t: { $date: time.toISOString() }, s: 'E', c: 'NETWORK', id: 7, msg: 'failed' }),
  journald: (time) => ({
    __REALTIME_TIMESTAMP: `${time.getTime()}000`,
    PRIORITY: '3',
    MESSAGE: 'order failed',
  }),
  'event of Kubernetes': (time) => ({ kind: 'Event', lastTimestamp: time.toISOString(), message: 'x' }),
  'audit of Kubernetes': (time) => ({ kind: 'Event', requestReceivedTimestamp: time.toISOString() }),
  'CSV of PostgreSQL': (time) => ({
    log_time: time.toISOString().replace('T', ' ').replace('Z', ' UTC'),
    error_severity: 'ERROR',
    message: 'x',
  }),
  GELF: (time) => ({
    version: '1.1',
    short_message: 'order failed',
    timestamp: time.getTime() / 1000,
    level: 3,
  }),
  ECS: (time) => ({ '@timestamp': time.toISOString(), 'log.level': 'error', message: 'order failed' }),
  'Google Cloud': (time) => ({
    timestamp: time.toISOString(),
    severity: 'ERROR',
    textPayload: 'order failed',
  }),
  'python-json-logger': (time) => ({
    asctime: time.toISOString().replace('Z', '+0000'),
    levelname: 'ERROR',
    message: 'x',
  }),
  'JSON console of .NET': (time) => ({ Timestamp: time.toISOString(), LogLevel: 'Error', Message: 'x' }),
  'ConvertTo-Json of PowerShell': (time) => ({
    TimeCreated: `/Date(${time.getTime()})/`,
    LevelDisplayName: 'Error',
    Message: 'x',
  }),
  'Docker with JSON inside': (time) => ({
    log: `{"level":50,"time":${time.getTime()},"msg":"x"}\n`,
    stream: 'stdout',
    time: time.toISOString(),
  }),
  'Docker with text inside': (time) => ({
    log: 'ERROR order failed\n',
    stream: 'stderr',
    time: time.toISOString(),
  }),
  'JsonLayout of log4j2': (time) => {
    const [epochSecond, millis] = [Math.floor(time.getTime() / 1000), time.getTime() % 1000];
    return { instant: { epochSecond, nanoOfSecond: millis * 1e6 + 123 }, level: 'ERROR', message: 'x' };
  },
  'JsonLayout of log4j2 before 2.11': (time) => ({
    timeMillis: time.getTime(),
    level: 'ERROR',
    message: 'x',
  }),
  'JSON of an event': (time) => ({ event_time: time.toISOString(), message: 'x' }),
  'JSON with a log time': (time) => ({ logTime: time.toISOString(), message: 'x' }),
  'JSON of a record': (time) => ({ created_at: time.toISOString(), message: 'x' }),
  'JSON of nginx': (time) => ({ time_iso8601: time.toISOString(), status: 200, request: 'GET /' }),
  'JSON of nginx with seconds': (time) => ({ msec: (time.getTime() / 1000).toFixed(3), status: 200 }),
  'OTLP of the collector': (time) => ({
    resourceLogs: [
      {
        scopeLogs: [
          {
            logRecords: [
              { timeUnixNano: `${time.getTime()}000000`, severityText: 'ERROR', body: { stringValue: 'x' } },
            ],
          },
        ],
      },
    ],
  }),
};
const MINUTES = [0, 1, 2].map((minute) => new Date(FIRST + minute * MINUTE_MS));
const WINDOWS = MINUTES.map((time) => JSON.stringify(JSON_TIMES['ConvertTo-Json of PowerShell']!(time)));
const CSV = MINUTES.map((time) =>
  JSON.stringify({ time: time.toISOString(), level: 'ERROR', msg: 'a, "b"' }),
);
/** The text of lines, if it is not these lines. */
type Format = readonly [name: string, lines: readonly string[], text?: string];
const WRITTEN: readonly Format[] = [
  ...TEXT_EXAMPLES,
  ...Object.entries(JSON_TIMES).map(([name, write]) => {
    const lines = [0, 1, 2].map((minute) => JSON.stringify(write(new Date(FIRST + minute * MINUTE_MS))));
    return [name, lines] as const;
  }),
  [
    'logfmt',
    [0, 1, 2].map(
      (minute) =>
        `ts=${new Date(FIRST + minute * MINUTE_MS).toISOString()} level=warn msg="order \\"7\\" is slow" n=${minute}`,
    ),
  ] as const,
  [
    'journalctl -o short-full and short-unix',
    [
      'Sat 2026-11-28 04:14:55 UTC web-1 sshd[123]: Failed password for root',
      '1795839355.759123 web-1 systemd[1]: Started Shop.',
      'Sat 2026-11-28 05:16:55 CET web-1 shop[7]: order is slow',
    ],
  ],
  [
    'syslog without a process ID',
    [
      '2026-11-28T05:14:55.759123+01:00 web-1 kernel: Out of memory',
      '<4>2026-11-28T04:15:55.759Z localhost sudo: eve : TTY=pts/0',
      '2026-11-28T05:16:55+0100 web.example dockerd: ERROR failed',
    ],
  ],
  [
    'journald with a message as bytes',
    MINUTES.map((time) =>
      JSON.stringify({ ...JSON_TIMES.journald!(time), MESSAGE: [...Buffer.from('\u001b[1mé')] }),
    ),
  ],
  [
    'JSON in a message of syslog',
    [
      'Nov 28 03:00:00 web-1 shop[7]: {"level":30,"time":1795839295759,"msg":"order placed"}',
      '<14>1 2026-11-28T03:00:00Z web-1 shop 7 - - {"level":"warn","ts":"2026-11-28T04:15:55Z","msg":"slow"}',
      '2026-11-28T03:00:00.759123+00:00 web-1 shop[7]: {"severity":"ERROR","time":"2026-11-28T04:16:55Z"}',
    ],
  ],
  [
    'JSON in a message of journald',
    MINUTES.map((time) => {
      const message = JSON.stringify({ level: 50, time: time.getTime(), msg: 'order failed' });
      return JSON.stringify({ ...JSON_TIMES.journald!(new Date(0)), MESSAGE: message });
    }),
  ],
  [
    'logfmt with a name alone',
    MINUTES.map((time) => `ts=${time.toISOString()} level=error retried msg="order failed" n=7 slow`),
  ],
  [
    'colored text',
    MINUTES.map(
      (time) => `\u001b[2m${time.toISOString()}\u001b[0m \u001b[1;31mERROR\u001b[0m order failed\n  at x`,
    ),
  ],
  [
    'colored logfmt',
    MINUTES.map(
      (time) =>
        `\u001b[36mts\u001b[0m=${time.toISOString()} \u001b[36mlevel\u001b[0m=error \u001b[36mmsg\u001b[0m=x`,
    ),
  ],
  [
    'Docker with lines in parts',
    MINUTES.map((time) => {
      const end = `","stream":"stdout","time":"${time.toISOString()}"}`;
      return `{"log":"{\\"level\\":50,\\"ti${end}\n{"log":"me\\":${time.getTime()},\\"msg\\":${end}\n{"log":"\\"x\\"}\\n${end}`;
    }),
  ],
  [
    'indented JSON below another line',
    MINUTES.map((time, index) =>
      JSON.stringify({ time: time.toISOString(), level: 'error', user: { id: 7 } }, null, Math.min(index, 1)),
    ),
  ],
  [
    'text with a stack',
    MINUTES.map(
      (time) => `${time.toISOString()} ERROR failed\nError: x\n    at f (/srv/a.js:1:2) {\n  code: 7\n}`,
    ),
  ],
  [
    'text below a message',
    MINUTES.map(
      (time) => `${time.toISOString()} ERROR failed:\nSELECT 1\ncom.example.Gone: x\n\tat f(A.java:1)`,
    ),
  ],
  [
    'containers with lines in parts',
    MINUTES.map((time) => {
      const part = `${time.toISOString()} stdout`;
      return `${part} P {"level":50,"ti\n${part} P me":${time.getTime()}\n${part} F ,"msg":"x"}`;
    }),
  ],
  ['JSON array', WINDOWS, `[${WINDOWS.join(',')}]`],
  [
    'indented JSON',
    WINDOWS,
    JSON.stringify(
      WINDOWS.map((line) => JSON.parse(line)),
      null,
      4,
    ),
  ],
  [
    'CSV',
    CSV,
    `time,level,msg\r\n${MINUTES.map((time) => `${time.toISOString()},ERROR,"a, ""b"""`).join('\r\n')}`,
  ],
];

const FORMATS = WRITTEN.map(([name, lines, text = lines.join('\n')]) => [name, lines, text] as const);

/** Fields that depend on how an event was stored. */
const STORED = /^(?:@id|@ingesttimestamp|@timezone|@timestamp\.nanos|@display|#.*)$/;

function ownFields(row: object): Readonly<Record<string, string>> {
  const fields = Object.entries(row).filter(([name]) => !STORED.test(name));
  return Object.fromEntries(fields.map(([name, value]) => [name, String(value)]));
}

function sorted(rows: readonly object[]): readonly object[] {
  const timeOf = (row: object): number => Number(ownFields(row)['@timestamp']);
  return rows.map(ownFields).sort((left, right) => timeOf(left) - timeOf(right));
}

async function queried(text: string, timeZone?: string): Promise<readonly object[]> {
  const rows: object[] = [];
  for await (const some of new LineQuery('', { modified: MODIFIED, timeZone }).run([text]))
    rows.push(...some);
  return rows;
}

describe('Lines without a time', () => {
  it('of the console of .NET have a level and a message, also in color', async () => {
    const lines = [
      'info: Microsoft.Hosting.Lifetime[14]\n      Now listening on: http://localhost:5000',
      '\u001b[41m\u001b[30mfail\u001b[39m\u001b[22m\u001b[49m: Shop.Orders[7]\n      failed\n      Error: x\n         at Shop.Place()',
      '04:14:55 trce: A[0]\n      x',
      'dbug: A[0] on one line',
      'crit: A[-1]\r\n      dead',
    ];
    const rows = await queried(`${lines.join('\n')}\n`);
    expect(rows.map((row) => ownFields(row)['@rawstring'])).toEqual(lines);
    expect(
      rows.map((row) => {
        const { level, class: name, eventid, message } = ownFields(row);
        return [level, name, eventid, message];
      }),
    ).toEqual([
      ['info', 'Microsoft.Hosting.Lifetime', '14', 'Now listening on: http://localhost:5000'],
      ['error', 'Shop.Orders', '7', 'failed\n      Error: x\n         at Shop.Place()'],
      ['trace', 'A', '0', 'x'],
      ['debug', 'A', '0', 'on one line'],
      ['critical', 'A', '-1', 'dead'],
    ]);
    const errors: object[] = [];
    for await (const some of new LineQuery('level=error').run([lines.join('\n')])) errors.push(...some);
    expect(errors.length).toBe(1);
  });
});

describe('Lines of journald', () => {
  it('have a level and a message, which searches find', async () => {
    const message = 'order é';
    const text = JSON.stringify({ __REALTIME_TIMESTAMP: `${FIRST}000`, PRIORITY: '3', MESSAGE: message });
    const rows: object[] = [];
    for await (const some of new LineQuery('level=error message="order é"').run([text])) rows.push(...some);
    expect(rows).toMatchObject([{ level: 'error', message: 'order é' }]);
  });
});

describe('JSON in a message', () => {
  it.each([
    [
      'syslog',
      'Nov 28 03:00:00 web-1 shop[7]: {"level":50,"time":1795839295759,"msg":"order failed"}',
      'host',
    ],
    [
      'journald',
      '{"__REALTIME_TIMESTAMP":"1795830000000000","PRIORITY":"6","_HOSTNAME":"web-1","MESSAGE":"{\\"level\\":50,\\"time\\":1795839295759,\\"msg\\":\\"order failed\\"}"}',
      '_HOSTNAME',
    ],
  ])('of %s is found by its fields, beside those of the head', async (_, line, host) => {
    const other = 'Nov 28 03:00:00 web-2 cron[1]: started';
    for (const query of ['level=error', 'msg="order failed"', `${host}=web-1 level=error`, 'level!=info']) {
      const rows: object[] = [];
      for await (const some of new LineQuery(query).run([`${other}\n${line}\n${other}`])) rows.push(...some);
      expect([query, rows.filter((row) => ownFields(row)['@rawstring'] === line)]).toMatchObject([
        query,
        [{ level: 'error', msg: 'order failed', [host]: 'web-1', '@timestamp': 1795839295759 }],
      ]);
    }
  });

  it('is text if it is not valid', async () => {
    const [row] = await queried('Nov 28 03:00:00 web-1 shop[7]: {"level":50');
    expect(ownFields(row!)).toMatchObject({ host: 'web-1', message: '{"level":50' });
  });
});

describe('Values that a line has in parts', () => {
  it.each([
    ['a container', '2026-11-28T04:14:55Z stdout P {"msg":"or\n2026-11-28T04:14:55Z stdout F der"}'],
    [
      'Docker',
      '{"log":"msg=or","stream":"stdout","time":"2026-11-28T04:14:55Z"}\n{"log":"der n=7","stream":"stdout","time":"2026-11-28T04:14:55Z"}',
    ],
    ['colors', '\u001b[36mmsg\u001b[0m=or\u001b[1mder n=7'],
  ])('are found: %s', async (_, text) => {
    for (const query of ['msg=order', 'msg=/rde/', 'order']) {
      const rows: object[] = [];
      for await (const some of new LineQuery(query).run([`plain\n${text}\nplain`])) rows.push(...some);
      expect([query, rows.map((row) => ownFields(row).msg)]).toEqual([query, ['order']]);
    }
  });
});

describe('Access logs', () => {
  it('below something else are text', async () => {
    const [row] = await queried('2026-11-28T04:14:55Z 10.0.0.1 - - [28/Nov/2026:04:14:55 +0000] "-" 200 7');
    expect(Object.keys(ownFields(row!))).toEqual(['@timestamp', '@rawstring']);
  });

  it.each([
    [
      '10.0.0.1 - - [28/Nov/2026:04:14:55 +0000] "GET /?q=\\"x\\" HTTP/1.1" 200 7 "-" "a \\"b\\""',
      { url: '/?q=\\"x\\"', useragent: 'a \\"b\\"' },
    ],
    [
      '10.0.0.1 - eve smith [28/Nov/2026:04:14:55 +0000] "GET / HTTP/1.1" 200 7',
      { userid: 'eve smith', url: '/' },
    ],
    [
      'shop:443 10.0.0.1 - - [28/Nov/2026:04:14:55 +0000] "GET / HTTP/1.1" 200 7',
      { vhost: 'shop:443', client: '10.0.0.1' },
    ],
    [
      'shop.example 10.0.0.1 - - [28/Nov/2026:04:14:55 +0000] "GET / HTTP/1.1" 200 7',
      { vhost: 'shop.example', client: '10.0.0.1', userid: '-' },
    ],
    [
      '10.0.0.3, 10.0.0.9 - eve [28/Nov/2026:04:14:55 +0000] "GET / HTTP/1.1" 200 7',
      { client: '10.0.0.3', proxies: '10.0.0.9', userid: 'eve' },
    ],
    [
      '2026-11-28T04:14:55.759123456Z 10.0.0.1 - - [28/Nov/2026:04:14:55 +0000] "GET / HTTP/1.1" 200 7',
      { client: '10.0.0.1', userid: '-' },
    ],
    [
      '2001:db8::1 - eve smith [28/Nov/2026:04:14:55 +0000] "GET / HTTP/1.1" 200 7',
      { client: '2001:db8::1', userid: 'eve smith' },
    ],
    [
      '10.0.0.1 - - [28/Nov/2026:04:14:55 +0000] "GET / HTTP/1.1" 200 7 "-" "curl" "10.0.0.9"',
      { useragent: 'curl' },
    ],
    [
      '10.0.0.1 - - [28/Nov/2026:04:14:55 +0000] "GET / HTTP/1.1" 200 7 "-" "curl" "10.0.0.9" rt=0.123 uct="0.001" uht="0.120" urt="0.121"',
      { rt: '0.123', uct: '0.001', uht: '0.120', urt: '0.121' },
    ],
    [
      '10.0.0.1 - - [28/Nov/2026:04:14:55 +0000] "GET / HTTP/1.1" 200 7 "-" "curl" rt=0.123 uct=- urt=-',
      { useragent: 'curl', rt: '0.123', urt: '-' },
    ],
    [
      '10.0.0.1 - - [28/Nov/2026:04:14:55 +0000] "\\x16\\x03" 400 7 "-" "-" 0.012',
      { statuscode: '400', responsetime: '0.012' },
    ],
    [
      '10.0.0.1 - - [28/Nov/2026:04:14:55 +0000] "GET / HTTP/1.1" 200 7 "-" "curl" 1843 0.045 [shop-web-80] [] 10.1.1.1:80 532 0.044 200 5f1c',
      { responsetime: '0.045' },
    ],
    [
      '10.0.0.1 - - [28/Nov/2026:04:14:55 +0000] "GET / HTTP/1.1" 200 7 "-" "-" 12 "web@docker" "http://10.0.0.2:80" 15ms',
      { responsetime: '15ms' },
    ],
    [
      '10.0.0.1 - - [28/Nov/2026:04:14:55 +0000] "GET / HTTP/1.1" 200 7 "-" "curl" 0.045 0.044 .',
      { responsetime: '0.045' },
    ],
    [
      '10.0.0.1 - - [28/Nov/2026:04:14:55 +0000] "GET / HTTP/1.1" 200 7 "-" "curl" 1843 0.045',
      { useragent: 'curl' },
    ],
    [
      '10.0.0.1 - - [28/Nov/2026:04:14:55 +0000] "GET / HTTP/1.1" 200 7 "-" "curl" 10.1.1.1:80',
      { useragent: 'curl' },
    ],
  ])('have fields: %s', async (line, fields) => {
    const [row] = await queried(line);
    expect(ownFields(row!)).toMatchObject({ '@timestamp': String(FIRST - 759), ...fields });
    expect('responsetime' in row!).toBe('responsetime' in fields);
  });
});

describe('The line formats', () => {
  let server: LocalServer;
  let folder: string;
  beforeAll(async () => {
    server = await startLocalServer();
    folder = await mkdtemp(join(tmpdir(), 'logclient-formats-'));
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('are at least 25 with text, and each has three examples of different lines', () => {
    expect(FORMATS.length).toBeGreaterThan(40);
    expect(TEXT_EXAMPLES.length).toBeGreaterThanOrEqual(25);
    const lines = TEXT_EXAMPLES.flatMap(([, examples]) => examples);
    for (const columns of TEXT_FORMATS) expect(lines.some((line) => columns.test(line))).toBe(true);
    for (const [, lines] of FORMATS) expect(new Set(lines).size).toBe(3);
  });

  it.each(FORMATS)(
    '%s: each line has its own time, and a level if it has a word for one',
    async (_, lines, written) => {
      const rows = await queried(written, 'UTC');
      const times = rows.map((row) => Math.floor(Number(ownFields(row)['@timestamp']) / 1000) * 1000);
      const first = Math.floor(FIRST / 1000) * 1000;
      const minutes = [0, 1, /\bEST\b/.test(lines[2]!) ? 2 + 5 * 60 : 2];
      expect(times).toEqual(minutes.map((minute) => first + minute * MINUTE_MS));
      for (const [index, line] of lines.entries()) {
        const word =
          /\b(?:ERROR|SEVERE|ERR|Error)\b|\berror\]|\bfail:/.exec(line) ??
          /"level":50|PRIORITY":"3|"level":3\b|^E\d|"s":"E"/.exec(line);
        const { level } = loggedFields(rows[index] as never);
        if (word !== null) expect([line, level]).toEqual([line, 'error']);
      }
    },
  );

  it.each(FORMATS)(
    '%s: a query of a file, ingest, the page, cost and diff read the same',
    async (name, lines, written) => {
      const text = `${written}\n`;
      const file = join(folder, 'app.log');
      await writeFile(file, text);
      await utimes(file, new Date(MODIFIED), new Date(MODIFIED));
      const fromFile = await runCommand(['query', file, '', '-o', 'ndjson']);
      expect(fromFile).toMatchObject({ code: 0, stderr: '' });
      const rows = sorted(
        fromFile.stdout
          .trim()
          .split('\n')
          .map((row) => JSON.parse(row)),
      );
      expect(rows).toEqual(sorted(await queried(text)));

      const env = accessTo(server);
      const sent = await runCommand(['ingest', file, '--tag', `format=${name}`, '--quiet'], { env });
      expect(sent).toEqual({ code: 0, stdout: '', stderr: '' });
      const stored = server.inspect.events(server.repository).filter((event) => event['#format'] === name);
      expect(sorted(stored)).toEqual(rows);

      const headers = { authorization: `Bearer ${server.userToken}` };
      const path = `${server.url}/api/v1/temporary-repositories`;
      const created = await fetch(path, {
        method: 'POST',
        headers,
        body: JSON.stringify({ fileName: 'a.log' }),
      });
      const { name: opened } = (await created.json()) as { name: string };
      await fetch(`${path}/${opened}/lines?modified=${MODIFIED}`, { method: 'POST', headers, body: text });
      expect(sorted(server.inspect.events(opened))).toEqual(rows);

      const collector = new CostCollector();
      const times = new WrittenTimes({ latest: MODIFIED });
      for (const [index, line] of lines.entries()) {
        const { time, level, service, message } = loggedLine(line, times);
        const row = rows.find((one) => ownFields(one)['@rawstring'] === line)!;
        expect({ ...loggedFields({ ...row }), time: Number(ownFields(row)['@timestamp']) }).toMatchObject({
          ...{ time, level, service },
          // A stored record without a message has its text.
          ...(message !== '' && { message }),
        });
        collector.add(lines[index]!, times);
      }
      expect(collector.result().rows[0]!.bytesPerDay).toBeGreaterThan(0);
    },
  );
});
