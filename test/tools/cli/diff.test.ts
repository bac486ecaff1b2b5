// cspell:disable: parts of IDs.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
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

it('diff finds no changes between two runs of the same program', async () => {
  for (let seed = lawSeed; seed < lawSeed + cases(3).numRuns; seed++) {
    const run = await runCommand(['diff', ...filesOf(runOf(seed), runOf(seed + 1_000)), '--json']);
    expect(JSON.parse(run.stdout)).toEqual([]);
    expect(run.code).toBe(0);
  }
}, 60_000);

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
    /^logclient: the logs differ: \d+ changes between 2,000 records and [\d,]+ records\.\n$/,
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
