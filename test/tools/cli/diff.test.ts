// cspell:disable: parts of IDs.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { compareProfiles, ProfileCollector } from '../../../src/core/records/log-profile.ts';
import { loggedLine } from '../../../src/core/records/logged-line.ts';
import type { LogRecord } from '../../../src/page/records/log-record.ts';
import { groupSimilar } from '../../../src/page/search/similar.ts';
import { runCommand } from '../../helpers/cli-run.ts';
import { cases, lawSeed } from '../../helpers/laws.ts';

function filesOf(...logs: readonly (readonly (object | string)[])[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'diff-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return logs.map((lines, index) => {
    const path = join(folder, `${index}.log`);
    writeFileSync(
      path,
      lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
    );
    return path;
  });
}

/** The log of a program, with IDs, times and durations that differ in each run. */
function runOf(
  seed: number,
  change: (record: Record<string, unknown>, n: number) => object | undefined = (it) => it,
) {
  let state = seed;
  const random = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return Array.from({ length: 2_000 }, (_, n) => {
    const messages = [
      `order ${random(9_000)} placed`,
      `GET /cart/${random(1e9).toString(16)} took ${random(90)} ms`,
      'cache miss',
    ];
    const record = {
      level: random(10) === 0 ? 40 : random(3) === 0 ? 20 : 30,
      time: 1_700_000_000_000 + seed + n * 100 + random(50),
      msg: messages[random(3)],
      user: { id: random(1_000) },
      sessions: { [random(1e6)]: 'open' },
    };
    return change(record, n);
  }).filter((record) => record !== undefined);
}

/** Compares logs as `diff` does. */
function changesOf(...logs: readonly (readonly (object | string)[])[]) {
  const [before, after] = logs.map((lines) => {
    const profile = new ProfileCollector();
    for (const line of lines) profile.add(loggedLine(typeof line === 'string' ? line : JSON.stringify(line)));
    return profile.result();
  });
  return compareProfiles(before!, after!);
}

it('diff finds no changes between two runs of the same program in 95 % of cases, short or long', () => {
  const { numRuns } = cases(20);
  const changed = Array.from({ length: numRuns }, (_, n) => {
    const [short, long] = [100 + (n % 7) * 100, n % 2 === 0 ? 2_000 : 300];
    const runs = [runOf(lawSeed + n).slice(0, short), runOf(lawSeed + n + 1_000_003).slice(0, long)];
    return changesOf(...runs).changes.filter(({ change }) => change !== 'moved rate');
  }).filter((changes) => changes.length > 0);
  expect(changed.length, JSON.stringify(changed.slice(0, 3))).toBeLessThanOrEqual(numRuns / 20);
}, 60_000);

const failing = (count: number, of: number, failed: object, good: object = { level: 30 }): object[] =>
  Array.from({ length: of }, (_, n) => ({ msg: `request ${n} done`, ...(n < count ? failed : good) }));
/** 200 values that are equally frequent. */
const amongFields = (record: object, n: number): object => {
  return { ...record, ...Object.fromEntries(Array.from({ length: 20 }, (_, k) => [`f${k}`, (n + k) % 10])) };
};
const stack = (cause: string) => (n: number) =>
  `2026-11-28 10:00:${10 + (n % 50)} ERROR request ${n} failed\njava.lang.RuntimeException: failed\n\tat c.e.A.f(A.java:12)\nCaused by: ${cause}\n\tat c.e.B.f(B.java:3)`;
const manyOf = (line: (n: number) => object | string): (object | string)[] =>
  Array.from({ length: 120 }, (_, n) => line(n));
const accessLine = (n: number, path: string): string =>
  `10.0.${n}.1 - - [30/Nov/2026:10:00:${10 + (n % 50)} +0000] "GET ${path}/${n} HTTP/1.1" 200 512`;
const error = (message: string, type = 'Error'): object => ({
  type,
  message,
  stack: `${type}: ${message}\n    at f (/a.js:1:2)`,
});

const MOVED: readonly (readonly [
  what: string,
  before: (object | string)[],
  after: (object | string)[],
  change: string,
])[] = [
  [
    'errors from 5 to 24 of 30',
    failing(5, 30, { level: 50 }),
    failing(24, 30, { level: 50 }),
    'moved level error',
  ],
  [
    'errors from 1 to 22 of 100',
    failing(1, 100, { level: 50 }),
    failing(22, 100, { level: 50 }),
    'moved level error',
  ],
  [
    'statuses from 1 to 26 of 500',
    failing(1, 500, { status: 500 }, { status: 200 }),
    failing(26, 500, { status: 500 }, { status: 200 }),
    'moved value status=500',
  ],
  [
    'errors from 22 to 49 of 800, beside many fields',
    failing(22, 800, { level: 50 }).map(amongFields),
    failing(49, 800, { level: 50 }).map(amongFields),
    'moved level error',
  ],
  [
    'statuses from 22 to 49 of 800, beside many fields',
    failing(22, 800, { 'res.statusCode': 500 }, { 'res.statusCode': 200 }).map(amongFields),
    failing(49, 800, { 'res.statusCode': 500 }, { 'res.statusCode': 200 }).map(amongFields),
    'moved value res.statusCode=500',
  ],
  [
    'errors from 0 to 22 of 5,000',
    failing(0, 5_000, {}),
    failing(22, 5_000, { level: 50 }),
    'moved level error',
  ],
  [
    'errors that became warnings',
    failing(20, 500, { level: 50 }),
    failing(20, 500, { level: 40 }),
    'moved level warn',
  ],
  [
    'types of errors',
    failing(20, 500, { err: error('a') }),
    failing(20, 500, { err: error('a', 'RangeError') }),
    'moved value err.type=RangeError',
  ],
  [
    'messages of errors',
    failing(30, 90, { err: error('card declined') }),
    failing(30, 90, { err: error('connection refused') }),
    'new pattern Error: connection refused',
  ],
  [
    'messages of OpenTelemetry',
    failing(30, 90, { 'exception.message': 'card declined' }),
    failing(30, 90, { 'exception.message': 'connection refused' }),
    'new pattern connection refused',
  ],
  [
    'causes in text',
    manyOf(stack('java.sql.SQLException: timeout')),
    manyOf(stack('java.net.ConnectException: refused')),
    'new pattern caused by java.net.ConnectException: refused',
  ],
  [
    'events beside a message',
    manyOf(() => ({ msg: 'a', event: 'login' })),
    manyOf(() => ({ msg: 'a', event: 'logout' })),
    'moved value event=logout',
  ],
  [
    'a second level',
    manyOf(() => ({ msg: 'a', level: 30, severity: 'INFO' })),
    manyOf(() => ({ msg: 'a', level: 30, severity: 'ERROR' })),
    'moved value severity=ERROR',
  ],
  [
    'a share of half the records',
    failing(40, 100, { ok: false }, { ok: true }),
    failing(70, 100, { ok: false }, { ok: true }),
    'moved value ok=true',
  ],
  [
    'items of arrays',
    manyOf(() => ({ tags: ['a', 'b', 'b'] })),
    manyOf((n) => ({ tags: n < 60 ? ['a', 'b'] : ['a'] })),
    'moved value tags[*]=b',
  ],
  [
    'how many records have an ID',
    manyOf((n) => ({ msg: 'a', id: n })),
    manyOf((n) => ({ msg: 'a', ...(n < 40 && { id: n }) })),
    'moved field id',
  ],
  [
    'paths of an access log',
    manyOf((n) => accessLine(n, '/cart')),
    manyOf((n) => accessLine(n, '/basket')),
    'new pattern GET /basket/‹n›',
  ],
  [
    'paths of requests without a message',
    manyOf((n) => ({ req: { method: 'GET', url: `/cart?item=${n}` } })),
    manyOf((n) => ({ req: { method: 'GET', url: `/basket?item=${n}` } })),
    'new pattern GET /basket',
  ],
  [
    'paths only by the message, if there is one',
    manyOf(() => ({ msg: 'done', method: 'GET', url: '/cart' })),
    manyOf(() => ({ msg: 'request done', method: 'GET', url: '/cart' })),
    'new pattern request done',
  ],
];

it.each(MOVED)('diff reports %s', (_, before, after, expected) => {
  const { changes } = changesOf(before, after);
  expect(changes.map(({ change, name }) => `${change} ${name}`)).toContain(expected);
});

it('diff of a log and the result of a query ignores fields that the service adds, and where the time is', async () => {
  const event = {
    '@timestamp': 1,
    '@id': 'a',
    '@rawstring': 'a',
    '@timezone': 'Z',
    '#repo': 'r',
    '#type': 'json',
    '#file': 'a.log',
  };
  const logs = [{ time: '2026-11-28T10:00:00Z' }, event, { ...event, '#file': 'b.log' }].map((own) =>
    [1, 2].map(() => ({ ...own, msg: 'a' })),
  );
  expect(changesOf(...logs.slice(0, 2)).changes).toEqual([]);
  expect(changesOf(...logs.slice(1)).changes).toEqual([]);
});

it('diff lists the share that moved most before the others', () => {
  const before = manyOf(() => ({ level: 30, msg: 'a', region: 'eu' }));
  const after = manyOf((n) => ({ level: n % 5 ? 30 : 50, msg: 'a', region: n % 2 ? 'eu' : 'us' }));
  const names = changesOf(before, after).changes.map(({ name }) => name);
  expect(names.filter((name) => /region|error/.test(name)).at(-1)).toBe('error');
});

it('diff names what it leaves out: shares that moved by chance, fields with many values', async () => {
  const logs = [0, 2].map((errors) =>
    failing(errors, 100, { level: 50 }).map((it, n) => ({ ...it, ms: n, pid: n })),
  );
  expect(await runCommand(['diff', ...filesOf(...logs)])).toMatchObject({
    code: 0,
    stderr:
      'logclient: no changes between 100 records and 100 records. Left out: 2 shares moved little or by chance, the largest is error (0 % to 2 %). Not compared: 1 field with more than 20 values, such as ms.\n',
  });
});

it('diff and the page group messages by the same IDs: hexadecimal ones without digits, ULIDs, and numbers in JSON', async () => {
  const ids = ['4bf92f35', 'deadbeef', 'cafeba', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'];
  const logs = ids.map((id, n) => [
    { msg: `job ${id} got {"n":${n},"at":-1.5e${n}}` },
    { body: { n } },
    { msg: n },
  ]);
  for (const log of logs) {
    const { stdout } = await runCommand(['diff', ...filesOf(logs[0]!, log), '--json']);
    expect(JSON.parse(stdout)).toEqual([]);
    const { patterns } = groupSimilar(
      [logs[0]!, log].flat().map(({ msg }) => {
        return {
          row: { msg: String(msg) },
          message: String(msg),
          time: 1,
          level: '',
          service: '',
        } as unknown as LogRecord;
      }),
      0,
      1,
    );
    expect(patterns).toHaveLength(3);
  }
});

it('diff finds five planted changes', async () => {
  const after = runOf(7, (record, n) => {
    if (n === 1_000) return { ...record, msg: 'payment provider is down' };
    if (record.msg === 'cache miss') return undefined;
    if (String(record.msg).startsWith('order')) return { ...record, msg: `${record.msg} by user ${n}` };
    const level = n % 3 === 0 ? 50 : record.level;
    return { ...record, level, user: { id: `u-${n}` }, region: 'eu' };
  });
  const run = await runCommand(['diff', ...filesOf(runOf(1), after), '--json']);
  const rows: { change: string; name: string }[] = JSON.parse(run.stdout);
  expect(run.code).toBe(1);
  expect(run.stderr).toMatch(
    /^logclient: the logs differ: \d+ changes between 2,000 records and [\d,]+ records\. Left out: .* Not compared: 1 field with more than 20 values, such as user\.id\.\n$/,
  );
  expect(rows.filter(({ change }) => !change.startsWith('moved'))).toEqual([
    { change: 'new pattern', name: 'payment provider is down', before: null, after: 1 },
    {
      change: 'changed pattern',
      name: 'order ‹n› placed by user ‹n›',
      before: 'order ‹n› placed',
      after: 'order ‹n› placed by user ‹n›',
    },
    { change: 'gone pattern', name: 'cache miss', before: expect.any(Number), after: null },
    { change: 'new field', name: 'region', before: null, after: 'string' },
    { change: 'changed type', name: 'user.id', before: 'number', after: 'number or string' },
  ]);
  expect(rows).toContainEqual({
    change: 'moved level',
    name: 'error',
    before: 0,
    after: expect.any(Number),
  });
});

it('diff fails for a log without records, and names it', async () => {
  const run = await runCommand(['diff', ...filesOf([], ['a'])]);
  expect(run).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^logclient: \S+ has no records to compare\.\n$/),
  });
});

it('diff reports a rate that moved, and writes Markdown that shows any text literally', async () => {
  const before = runOf(1);
  const after = runOf(1, (record, n) => ({
    ...record,
    time: 1_700_000_000_000 + n * 10,
    ...(n === 0 && { msg: 'a | *b*' }),
  }));
  const run = await runCommand(['diff', ...filesOf(before, after), '--markdown', '-q']);
  expect(run.stdout.split('\n').slice(0, 3)).toEqual([
    '| change | name | before | after |',
    '| --- | --- | --- | --- |',
    '| new pattern | a \\| \\*b\\* |  | 1 |',
  ]);
  expect(run.stdout).toMatch(/\| moved rate \| records \| \d+ per minute \| \d+ per minute \|/);
});

it('diff reports a value that all lines of one log have and none of the other, unless it is of the process', async () => {
  const log = (pid: number, status: number): object[] => [1, 2].map((id) => ({ pid, id, status }));
  const { code, stdout } = await runCommand(['diff', ...filesOf(log(1, 200), log(2, 500)), '--json']);
  expect([code, JSON.parse(stdout)]).toEqual([
    1,
    [
      { change: 'moved value', name: 'status=200', before: 100, after: 0 },
      { change: 'moved value', name: 'status=500', before: 0, after: 100 },
    ],
  ]);
});

it('diff compares values of fields with few values, also of text, unless they are of the process', async () => {
  const lines = (pid: number, isFailing: (n: number) => boolean): object[] =>
    Array.from({ length: 200 }, (_, n) => ({
      pid,
      id: n,
      path: `/${n % 25}`,
      status: isFailing(n) ? 500 : 200,
    }));
  const json = [lines(1, (n) => n === 0), lines(2, (n) => n % 20 > 0)];
  const access = json.map((log) =>
    log.map((line) => `10.0.0.1 - - [28/Nov/2026:04:14:55 +0000] "GET / HTTP/1.1" ${Object(line).status} 17`),
  );
  for (const [name, logs] of [
    ['status', json],
    ['statuscode', access],
  ] as const) {
    const { stdout } = await runCommand(['diff', ...filesOf(...logs), '--json']);
    expect(JSON.parse(stdout)).toEqual([
      { change: 'moved value', name: `${name}=500`, before: 0.5, after: 95 },
      { change: 'moved value', name: `${name}=200`, before: 99.5, after: 5 },
    ]);
  }
});
