import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'logclient-reports-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function sumUp(...args: string[]) {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/sum-reports.mjs', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 25_000,
  });
  return { code: status, lines: stdout.trimEnd().split('\n') };
}

function report(name: string, numPassedTests: number, testResults: readonly object[] = []): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ numPassedTests, testResults }));
  return path;
}

function testFile(name: string, failures: Readonly<Record<string, string>>, message = '') {
  const assertionResults = Object.entries(failures).map(([fullName, reason]) => ({
    fullName,
    status: 'failed',
    failureMessages: [reason],
  }));
  const passed = { fullName: 'passes', status: 'passed', failureMessages: [] };
  const failed = assertionResults.length > 0 || message !== '';
  return {
    name: join(ROOT, name),
    status: failed ? 'failed' : 'passed',
    message,
    assertionResults: [passed, ...assertionResults],
  };
}

test('the sum of reports adds up passed tests', () => {
  const reports = [report('a.json', 40, [testFile('test/a.test.ts', {})]), report('b.json', 2)];

  expect(sumUp(...reports)).toEqual({ code: 0, lines: ['42 passed, 0 failed'] });
});

test('the sum of reports names each failed test and its reason in plain-text lines', () => {
  const failures = {
    'a queue keeps order': '\u001b[31mexpected 1 to be 2\u001b[39m',
    'a queue ends': 'timed out',
  };
  const { code, lines } = sumUp(report('a.json', 7, [testFile('test/queue.test.ts', failures)]));

  expect(code).toBe(1);
  expect(lines).toEqual([
    'FAILED test/queue.test.ts > a queue keeps order',
    '  expected 1 to be 2',
    'FAILED test/queue.test.ts > a queue ends',
    '  timed out',
    '7 passed, 2 failed',
  ]);
});

test('the sum of reports counts a file that could not be loaded', () => {
  const { code, lines } = sumUp(report('a.json', 1, [testFile('test/a.test.ts', {}, 'Cannot find module')]));

  expect(code).toBe(1);
  expect(lines).toEqual(['FAILED test/a.test.ts', '  Cannot find module', '1 passed, 1 failed']);
});

test('the sum of reports counts a report that was not written', () => {
  const { code, lines } = sumUp(report('a.json', 3), join(folder, 'none.json'));

  expect(code).toBe(1);
  expect(lines).toEqual(['FAILED none.json was not written', '3 passed, 1 failed']);
});

test('the sum of reports counts checks that failed outside of tests', () => {
  const lint = ['--failed-check', 'npm run lint'];

  expect(sumUp(...lint, report('a.json', 3))).toEqual({
    code: 1,
    lines: ['FAILED npm run lint', '3 passed, 1 failed'],
  });
  const failed = report('b.json', 3, [testFile('test/b.test.ts', { fails: 'no' })]);
  expect(sumUp(...lint, failed).lines).toEqual([
    'FAILED test/b.test.ts > fails',
    '  no',
    '3 passed, 1 failed',
  ]);
});
