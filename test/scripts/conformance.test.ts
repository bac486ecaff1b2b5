import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
// @ts-expect-error a script without types
import { conformanceReport } from '../../scripts/conformance/report.mjs';
// @ts-expect-error a script without types
import { runCase } from '../../scripts/conformance/run-case.mjs';
import { LogClient } from '../../src/index.ts';
import { startLocalServer } from '../../src/server/index.ts';

const SCRIPT = resolve(import.meta.dirname, '../../scripts/conformance.mjs');

vi.setConfig({ testTimeout: 120_000 });

async function run(env: Readonly<Record<string, string>>, ...words: string[]) {
  const child = spawn(process.execPath, [SCRIPT, ...words], {
    env: { PATH: process.env.PATH, HOME: '/nonexistent', LOGCLIENT_DISCOVERY: 'off', ...env },
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await once(child, 'exit');
  return { code: child.exitCode, stdout, stderr };
}

describe('npm run conformance', () => {
  it('finds no differences on the local server, in a repository of its own that it deletes', async () => {
    const server = await startLocalServer();
    onTestFinished(() => server.close());
    const env = { LOGSCALE_URL: server.url, LOGSCALE_TOKEN: server.userToken };
    const { code, stdout, stderr } = await run(env);
    expect(stdout).toMatch(
      /\n(\d{3}) of \1 cases have the same result\. 0 differ: 0 in rows, 0 with an error\.\n/,
    );
    expect(stderr).toMatch(
      /^Created the repository (logclient-conformance-\w+)\.\nDeleted the repository \1\.\n$/,
    );
    expect(code).toBe(0);
    const client = new LogClient({
      baseUrl: server.url,
      repository: server.repository,
      userToken: server.userToken,
    });
    expect((await client.listRepositories()).map(({ name }) => name)).not.toContainEqual(
      expect.stringContaining('conformance'),
    );
  });

  it('finds no differences in Next-Gen SIEM, in the repository that --repository names', async () => {
    const server = await startLocalServer({ ngsiem: true });
    onTestFinished(() => server.close());
    const { clientId, clientSecret } = server;
    const env = {
      FALCON_CLIENT_ID: clientId,
      FALCON_CLIENT_SECRET: clientSecret,
      FALCON_BASE_URL: server.url,
    };
    expect(await run(env)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Next-Gen SIEM needs --repository <name>.\n',
    });
    const { code, stdout, stderr } = await run(
      env,
      '--repository',
      server.repository,
      '--function',
      'groupBy',
    );
    expect(stdout).toContain(' 0 differ: ');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('reports other rows and errors with the query, and the undocumented decisions of the function', async () => {
    const server = await startLocalServer({ listen: false });
    onTestFinished(() => server.close());
    const { url, repository, userToken, fetch } = server;
    const client = new LogClient({ baseUrl: url, repository, userToken, fetch });
    const events = [{ a: '1' }];
    const outcomes = [
      await runCase(client, { query: 'a=1', events, rows: events }),
      await runCase(client, { query: 'a=1', events, rows: [{ a: '2' }] }),
      await runCase(client, { query: 'cuont()', events, rows: [] }),
      await runCase(client, { query: 'now()', events, rows: [] }),
    ];
    expect(outcomes.map(({ kind }: { kind: string }) => kind)).toEqual([
      'same',
      'different',
      'error',
      'skipped',
    ]);
    const report = conformanceReport([{ name: 'f', uncertain: ['A guess.'], skipped: 2, outcomes }]);
    expect(report.differences).toBe(2);
    expect(report.text).toContain(
      "1 of 3 cases have the same result. 2 differ: 1 in rows, 1 with an error.\n3 cases can't be run",
    );
    expect(report.text).toContain('## f (1 same, 2 different)\n\nUndocumented decisions:\n\n- A guess.\n');
    expect(report.text).toContain('| a=1\nexpected: [{"a":"2"}]\nservice: [{"a":"1"}]\n');
    expect(report.text).toMatch(/\| cuont\(\)\nexpected: \[\]\nservice: .*cuont/);
  });
});
