import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** A test file whose law is wrong for every 50th number, and that must not find this by its few cases. */
const BROKEN = `
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases, lawCases } from './helpers/laws.ts';
const TABLE = Array.from({ length: 100 }, (_, row) => row);
test('numbers are no multiple of 50', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 1e9 }), (n) => n % 50 !== 0), cases(50));
});
test('rows: ' + lawCases(TABLE, 3).length, () => expect(lawCases(TABLE, 3)).toHaveLength(3));
`;

/** Runs the script in a project of two test files, one of which has laws. */
function laws(...words: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'laws-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'test/helpers'), { recursive: true });
  cpSync(join(ROOT, 'test/helpers/laws.ts'), join(folder, 'test/helpers/laws.ts'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'test/broken.test.ts'), BROKEN);
  writeFileSync(join(folder, 'test/other.test.ts'), 'throw new Error("is not run");');
  return spawnSync(process.execPath, [join(ROOT, 'scripts/laws.mjs'), ...words], {
    cwd: folder,
    encoding: 'utf8',
  });
}

test('npm run laws tries all cases of laws with a new seed, and prints the command that repeats a failure', () => {
  const { stdout, stderr, status } = laws('--minutes', '0', '--times', '40');
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^1 test files with laws, 40 times as many cases as in "npm test"\n/);
  const [, seed] = /^seed (\d+): 2 failed in 1 files$/m.exec(stdout) ?? [];
  expect(stdout).toContain('FAILED test/broken.test.ts > numbers are no multiple of 50\n');
  expect(stdout).toContain('FAILED test/broken.test.ts > rows: 100\n');
  const again = ['--seed', String(seed), '--times', '40', 'test/broken.test.ts'];
  expect(stdout).toContain(`\nrepeat it with: npm run laws -- ${again.join(' ')}\n`);
  expect(status).toBe(1);
  // The same case fails again.
  const counterexample = /Counterexample: .*/.exec(stdout)![0];
  expect(laws(...again).stdout).toContain(counterexample);
});

test('all test files that use fast-check have their cases from test/helpers/laws.ts', () => {
  const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' });
  const others = files.filter((file) => {
    if (!file.endsWith('.test.ts') || file.startsWith('scripts/')) return false;
    const text = readFileSync(join(ROOT, 'test', file), 'utf8');
    return text.includes("from 'fast-check'") && !/^import .*\/helpers\/laws\.ts';$/m.test(text);
  });
  expect(others).toEqual([]);
});
