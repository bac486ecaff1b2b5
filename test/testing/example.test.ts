import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const EXAMPLE = join(ROOT, 'examples/testing');

/** Runs vitest like a reader of the docs, separately from this run. One file needs no isolation and no process, which cost time. */
async function vitestIn(folder: string): Promise<{ code: number; output: string }> {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, VITEST: undefined };
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const words = [vitest, 'run', '--no-isolate', '--pool=threads', '--maxWorkers=1'];
  const result = await run(process.execPath, words, { cwd: folder, env, timeout: 60_000 }).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  return { code: 'code' in result ? result.code : 0, output: result.stdout + result.stderr };
}

describe('examples/testing', { timeout: 60_000 }, () => {
  it('passes its tests without printing records', async () => {
    const { code, output } = await vitestIn(EXAMPLE);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/Tests {2}6 passed \(6\)/) });
    expect(output).not.toMatch(/stdout|stderr|"level"/);
  });

  it('fails a test and shows the masked records if the service logs the card number', async () => {
    // In the package's own folder, so that its name can be resolved.
    const folder = await mkdtemp(join(ROOT, '.tmp-example-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await cp(EXAMPLE, folder, { recursive: true });
    const service = join(folder, 'payments.mjs');
    const text = await readFile(service, 'utf8');
    await writeFile(
      service,
      text.replace('logger.child({ order, amount })', 'logger.child({ order, card, amount })'),
    );
    const { code, output } = await vitestIn(folder);
    expect(code).toBe(1);
    expect(output).toContain('1 failed | 5 passed');
    expect(output).toContain('Expected no matching record, found 2: /4111[ -]?1111/ (');
    expect(output).toContain('Logs of the failed test "never logs the card number":');
    expect(output).toMatch(/charged name=payments order=o-17 card=\[redacted\] amount=41\.9/);
    expect(output).not.toContain('order=o-17 card="4111');
  });
});
