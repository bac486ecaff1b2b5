import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { parseState } from '../../../src/page/state/search-state.ts';
import { startLocalServer } from '../../../src/server/index.ts';
import { pageLink } from '../../../src/tools/query/page-link.ts';
import { startCli } from '../../helpers/cli-process.ts';
import { runCommand } from '../../helpers/cli-run.ts';
import { stateOf, writeStateFile } from '../../helpers/state-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logclient-page-link-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

describe.skipIf(process.platform !== 'linux')('Browser started by logclient serve --open', () => {
  /** Starts the command with a script in place of `xdg-open`. */
  async function serveWithOpener(script: string) {
    await mkdir(join(folder, 'bin'));
    const opener = join(folder, 'bin/xdg-open');
    await writeFile(opener, `#!/bin/sh\ncd ${folder}\n${script}\n`);
    await chmod(opener, 0o755);
    const PATH = `${join(folder, 'bin')}:${process.env.PATH}`;
    const env = { PATH, XDG_STATE_HOME: folder, TMPDIR: folder, LOGCLIENT_DISCOVERY: '' };
    return startCli(['serve', '--port', '0', '--open', '--user-token', 'my-secret'], env);
  }
  const readOpened = (): Promise<string> => readFile(join(folder, 'opened'), 'utf8').catch(() => '');

  it('gets the page link in a file with mode 600, which is deleted on exit', async () => {
    const script = 'echo "$@" >args; stat -c %a "$1" >mode; cat "$1" >page; mv page opened';
    const { child, output, ended } = await serveWithOpener(script);
    await expect.poll(readOpened).not.toBe('');
    const [, url] = /url=([^"]+)"/.exec(await readOpened())!;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=my-secret$/);
    expect(output.stdout).toContain(`page      ${url}\n`);
    const file = (await readFile(join(folder, 'args'), 'utf8')).trim();
    expect(file).toMatch(/^\/\S+\.html$/);
    expect(await readFile(join(folder, 'mode'), 'utf8')).toBe('600\n');
    child.kill('SIGTERM');
    await ended;
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  it('causes a message on stderr if xdg-open fails', async () => {
    const { output } = await serveWithOpener('exit 3');
    await expect
      .poll(() => output.stderr)
      .toBe("logclient: can't open a browser (xdg-open exited with status 3). Open the link above.\n");
  });
});

describe('logclient serve --open', () => {
  it('rejects --ngsiem and a program', async () => {
    const ngsiem = await runCommand(['serve', '--ngsiem', '--open']);
    expect(ngsiem).toMatchObject({ code: 2, stderr: expect.stringContaining("--open can't be combined") });
    const program = await runCommand(['serve', '--open', 'node']);
    expect(program).toMatchObject({ code: 2, stderr: expect.stringContaining("--open can't be combined") });
  });
});

describe('pageLink()', () => {
  it('returns a link with the repository, query and time range, but without a token', async () => {
    const { link, server } = await linkOf({ start: '7 days', end: 1_700_000_000_000 });
    expect(link).toMatch(new RegExp(`^${server.url}/#`));
    expect(link).not.toContain(server.userToken);
    expect(parseState(new URL(link!).hash)).toMatchObject({
      repository: 'my repo',
      query: 'a="ü" | count()',
      start: '7 days',
      end: '1700000000000',
      isLive: false,
    });
  });

  it('uses the default time range of the command', async () => {
    const { link } = await linkOf({ start: undefined, end: undefined });
    expect(parseState(new URL(link!).hash)).toMatchObject({ start: '24h', end: 'now' });
  });

  it('returns undefined for other services', () => {
    const url = { value: 'https://cloud.example', origin: '--url' };
    const interval = { start: undefined, end: undefined };
    expect(pageLink({ url, repository: undefined }, '*', interval)).toBeUndefined();
  });
});

async function linkOf(interval: Parameters<typeof pageLink>[2]) {
  const server = await startLocalServer();
  onTestFinished(() => server.close());
  await writeStateFile(folder, stateOf(server));
  const before = process.env.XDG_STATE_HOME;
  process.env.XDG_STATE_HOME = folder;
  onTestFinished(() => {
    if (before === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = before;
  });
  const [url, repository] = [server.url, 'my repo'].map((value) => ({ value, origin: 'test' }));
  return { server, link: pageLink({ url: url!, repository }, 'a="ü" | count()', interval) };
}
