import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';

const ROOT = resolve(import.meta.dirname, '..');

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: {
    readonly steps: readonly { readonly env: Readonly<Record<string, string>>; readonly run: string }[];
  };
}

/** A copy of the example with the package installed. */
async function example(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'logclient-detections-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(join(ROOT, 'examples/detections'), folder, { recursive: true });
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
  await symlink(ROOT, join(folder, 'node_modules/logclient'));
  await symlink(join(ROOT, 'dist/cli/main.js'), join(folder, 'node_modules/.bin/logclient'));
  return folder;
}

async function run(
  program: string,
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
) {
  const child = spawn(program, words, { cwd, env: { PATH: process.env.PATH, HOME: cwd, ...env } });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await once(child, 'exit');
  return { code: child.exitCode, stdout, stderr };
}

/** Runs the steps of the action with some inputs, as GitHub does. */
async function runAction(folder: string, inputs: Readonly<Record<string, string>> = {}) {
  const action = parse(await readFile(join(ROOT, 'action.yml'), 'utf8')) as Action;
  const inputOf = (name: string): string => inputs[name] ?? action.inputs[name]!.default;
  const [step] = action.runs.steps;
  const env = Object.fromEntries(
    Object.entries(step!.env).map(([name, value]) => [
      name,
      value.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input) => inputOf(input)),
    ]),
  );
  return run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step!.run], folder, env);
}

describe('examples/detections', () => {
  it('passes its own checks', async () => {
    const { code, stdout, stderr } = await run('npm', ['test', '--silent'], await example());
    expect(stderr).toBe('No problems in 4 queries.\nlogclient: 11 tests passed.\n');
    expect(stdout.match(/^PASS/gm)).toHaveLength(3);
    expect(code).toBe(0);
  });
});

describe('The GitHub Action', () => {
  it('passes in the example', async () => {
    const { code, stdout } = await runAction(await example(), { paths: ' rules\n\n  . \n' });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  });

  it('annotates problems, unformatted queries and failed tests at their lines, and fails', async () => {
    const folder = await example();
    const rule = 'name: a\ncql: |\n  a = 1\n  | cuont()\n';
    await writeFile(join(folder, 'rules/a b.yml'), `${rule}tests:\n  ignores:\n    - { b: 1 }\n`);
    const rules = await readFile(join(folder, 'rules/failed-logons.yml'), 'utf8');
    await writeFile(join(folder, 'rules/failed-logons.yml'), rules.replace('> 5', '> 50'));
    const { code, stdout } = await runAction(folder, { paths: 'rules' });
    const lines = stdout.split('\n').map((line) => line.replace(/::(?:The|There|the) .*/, ''));
    expect(lines).toEqual([
      '::error file=rules/a b.yml,line=4,col=5,endLine=4,endColumn=10,title=unknown-function',
      '::error file=rules/a b.yml,line=3,title=format',
      expect.stringContaining('::error file=rules/a b.yml,line=7,title=test%3A ignores 1'),
      '::error file=rules/failed-logons.yml,line=18,title=test%3A matches 1',
      expect.stringMatching(/line=18,.*rules\/failed-logons\.yml:14 no event passes this step/),
      '',
    ]);
    expect(code).toBe(1);
  });

  it('runs only the checks that its inputs switch on', async () => {
    const folder = await example();
    await writeFile(join(folder, 'rules/a.yml'), 'cql: a = 1\n');
    const off = { lint: 'false', format: 'false', tests: 'false' };
    expect(await runAction(folder, off)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(await runAction(folder, { ...off, format: 'true' })).toMatchObject({ code: 1 });
    await writeFile(join(folder, 'rules/a.yml'), 'rule:\n  condition: cuont()\n');
    const { stdout } = await runAction(folder, { ...off, lint: 'true', keys: 'rule.condition' });
    expect(stdout).toContain('::error file=rules/a.yml,line=2,col=14,');
  });
});
