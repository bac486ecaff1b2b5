import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'logclient-stages-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function stageTimes(...lines: string[]) {
  writeFileSync(join(folder, 'times'), `${lines.join('\n')}\n`);
  const args = ['scripts/stage-times.mjs', folder];
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 25_000,
  });
  const budget = Number(/the budget is ([\d.]+)/.exec(stdout)?.[1]);
  return { code: status, lines: stdout.trimEnd().split('\n'), budget };
}

test('the times of stages are listed with their CPU time, and the ten slowest test files of all reports', () => {
  const file = (n: number) => ({
    name: join(ROOT, `test/${n}.test.ts`),
    startTime: 5,
    endTime: 5 + n * 1_000,
  });
  writeFileSync(join(folder, 'a.json'), JSON.stringify({ testResults: [1, 2, 3, 4, 5, 6].map(file) }));
  writeFileSync(join(folder, 'b.json'), JSON.stringify({ testResults: [12, 11, 10, 9, 8, 7].map(file) }));

  const { code, lines } = stageTimes('60.5 20 1.25 npm test', '9 10 0 npm run typecheck');
  expect(code).toBe(0);
  expect(lines.slice(0, 3)).toEqual([
    'Seconds of time, CPU time, stage:',
    '    60.5    21.3  npm test',
    '     9.0    10.0  npm run typecheck',
  ]);
  expect(lines.slice(3, -1)).toEqual([
    'Seconds, slowest test files:',
    ...[12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((n) => `${n.toFixed(1).padStart(8)}  test/${n}.test.ts`),
  ]);
  expect(lines.at(-1)).toMatch(
    /^npm test needs 2\.1 times the CPU time of npm run typecheck; the budget is /,
  );
});

test('CI fails if npm test needs more than 1.3 times its budget of CPU time, system time included', () => {
  const typecheck = '9 99 1 npm run typecheck';
  const { budget } = stageTimes('1 1 0 npm test', typecheck);
  const user = budget * 100;
  expect(stageTimes(`9 ${user} ${user * 0.29} npm test`, typecheck).code).toBe(0);
  expect(stageTimes(`9 ${user} ${user * 0.31} npm test`, typecheck).code).toBe(1);
});

test('CI fails if the CPU time of npm test or of npm run typecheck is not known', () => {
  expect(stageTimes('1 1 0 npm run typecheck').code).toBe(1);
  expect(stageTimes('1 1 0 npm test').code).toBe(1);
});
