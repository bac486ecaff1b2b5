import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { CLI_FILE, startProcess } from '../helpers/cli-process.ts';
import { closedPort } from '../helpers/closed-port.ts';
import { blocksOf } from './markdown-blocks.ts';

const PAGE = await readFile(join(import.meta.dirname, '../../docs/local-server.md'), 'utf8');
const blocks = blocksOf(PAGE);
const serveLines = blocks
  .filter(({ language, text }) => language === 'sh' && /^npx logclient serve(?! -- )/.test(text))
  .map(({ title, text }) => ({ title, line: text.trim() }));

interface Workflow {
  readonly jobs: {
    readonly e2e: {
      readonly env: Record<string, string>;
      readonly steps: readonly { readonly run?: string; readonly if?: string }[];
    };
  };
}

/** Kills background processes at the end, as the runner of a CI job does. */
const AS_A_JOB = `set -e\ntrap 'kill $(jobs -p)' EXIT\n`;

function variables(language: string, line: RegExp): string[] {
  const { text } = blocks.find((block) => block.language === language)!;
  return [...text.matchAll(line)].map(([, name, value]) => `${name}=${value}`);
}

describe('docs/local-server.md', () => {
  let folder: string;
  let env: Record<string, string | undefined>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'logclient-local-server-'));
    const npx = `#!/bin/sh\nshift\nexec '${process.execPath}' '${CLI_FILE}' "$@"\n`;
    // The tests of the CI job: an app that logs at the given level.
    const npm = `#!/bin/sh\n[ "$1" = ci ] || echo "{\\"level\\":\\"$LEVEL\\"}" | npx logclient ingest -q\n`;
    // The browsers of Linux and macOS do nothing.
    const programs = { npx, npm, 'xdg-open': '#!/bin/sh\n', open: '#!/bin/sh\n' };
    await Promise.all(
      Object.entries(programs).map(([name, script]) =>
        writeFile(join(folder, name), script, { mode: 0o755 }),
      ),
    );
    env = {
      PATH: `${folder}${delimiter}${process.env.PATH}`,
      HOME: folder,
      NO_COLOR: '1',
      LOGCLIENT_DISCOVERY: 'off',
    };
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(serveLines)('contains a command that starts the server: $title', async ({ line }) => {
    const { child, output, ended } = startProcess('bash', ['-c', `exec ${line} --port 0`], {
      cwd: folder,
      env,
    });
    await expect.poll(() => output.stdout).toContain('Press Ctrl-C to stop.');
    child.kill('SIGINT');
    expect({ code: await ended, stderr: output.stderr }).toEqual({ code: 0, stderr: '' });
  });

  it.each([
    { level: 'error', code: 0, result: 'passes without a fatal error' },
    { level: 'fatal', code: 1, result: 'fails after a fatal error' },
  ])('contains a GitHub Actions job that $result', async ({ level, code }) => {
    const { text } = blocks.find(({ language }) => language === 'yaml')!;
    const { e2e } = (parse(text.replaceAll('5647', String(await closedPort()))) as Workflow).jobs;
    const steps = e2e.steps.filter((step) => step.run !== undefined && step.if === undefined);
    const script = AS_A_JOB + steps.map(({ run }) => run).join('\n');
    const { output, ended } = startProcess('bash', ['-c', script], {
      cwd: folder,
      env: { ...env, ...e2e.env, LEVEL: level },
    });
    expect({ code: await ended, output }).toMatchObject({ code });
    if (code !== 0) expect(output.stderr).toContain('--fail-on-match');
  });

  it('contains the same variables for PowerShell as for .env', () => {
    const powershell = variables('powershell', /^\$env:(\w+) = '(.*)'$/gm);
    expect(powershell).toHaveLength(4);
    expect(powershell).toEqual(variables('ini', /^(\w+)=(.*)$/gm));
  });
});
