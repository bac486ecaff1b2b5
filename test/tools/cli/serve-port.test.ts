import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startLocalServer } from '../../../src/server/index.ts';
import { startOnPort } from '../../../src/tools/cli/serve/port.ts';
import { CLI_FILE, type CliProcess, startCli, startProcess } from '../../helpers/cli-process.ts';
import { runCommand, startCommand } from '../../helpers/cli-run.ts';
import { eventually } from '../../helpers/eventually.ts';

const DEFAULT_PORT = 5647;
const hasIPv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === '::1'),
);

/**
 * Listens until the test ends and returns the port. Port 0 picks a free one. Returns 0 if another program, such as a second
 * run of these tests, uses the port. That program may stop at any time.
 */
async function occupy(port: number, host?: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.on('listening', resolve);
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve();
      else reject(error);
    });
    server.listen({ port, host });
  });
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo | null)?.port ?? 0;
}

async function urlOf({ output }: Pick<CliProcess, 'output'>): Promise<string> {
  await eventually(() => expect(output.stdout + output.stderr).toContain('Ctrl-C'));
  return /listening at (\S+)/.exec(output.stdout)![1]!;
}

/** Starts and stops a server without flags. @returns its URL, and everything that it wrote to stderr */
async function serveOnce(): Promise<{ url: string; stderr: string }> {
  const serve = startCommand(['serve']);
  const url = await urlOf(serve);
  serve.kill('SIGTERM');
  expect(await serve.ended).toBe(0);
  return { url, stderr: serve.output.stderr };
}

function moved(url: string): string {
  return `logclient: port ${DEFAULT_PORT} is in use; listening on ${new URL(url).port}.\n`;
}

/** Runs a command, and collects what it writes to stderr. */
async function withStderr(run: () => Promise<unknown>): Promise<string> {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await run();
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
  }
}

describe('logclient serve', () => {
  it('listens on port 5647, or reports that it is in use and listens on another one', async () => {
    const { url, stderr } = await serveOnce();
    const isDefault = url === `http://127.0.0.1:${DEFAULT_PORT}`;
    expect(stderr).toBe(isDefault ? '' : moved(url));
  });

  it('listens on a later free port and reports it if port 5647 is in use', async () => {
    const occupied = [await occupy(DEFAULT_PORT), await occupy(DEFAULT_PORT + 1)];
    const { url, stderr } = await serveOnce();
    const port = Number(new URL(url).port);
    expect(occupied).not.toContain(port);
    expect(port).toBeGreaterThanOrEqual(DEFAULT_PORT);
    expect(port).toBeLessThan(DEFAULT_PORT + 20);
    expect(stderr).toBe(port === DEFAULT_PORT ? '' : moved(url));
  });

  it('starts three servers at once on different ports', async () => {
    const urls = await Promise.all([1, 2, 3].map(() => urlOf(startCli(['serve']))));
    expect(new Set(urls).size).toBe(3);
    for (const url of urls) expect((await fetch(`${url}/api/v1/status`)).status).toBe(200);
  });

  it('listens on port 3000 with --port 3000, or exits with 1 if it is in use', async () => {
    const { output, ended, kill } = startCommand(['serve', '--port', '3000']);
    await eventually(() => expect(output.stdout + output.stderr).toMatch(/Ctrl-C|in use/));
    kill('SIGTERM');
    const code = await ended;
    if (code === 0) expect(output.stdout).toContain('local server listening at http://127.0.0.1:3000\n');
    else
      expect({ code, stderr: output.stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(inUse(3000)),
      });
  });

  it('exits with 1 for --port 5647 if that port is in use', async ({ skip }) => {
    if ((await occupy(DEFAULT_PORT)) === 0) skip();
    const run = await runCommand(['serve', '--port', String(DEFAULT_PORT)]);
    expect(run).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(inUse(DEFAULT_PORT)) });
  });

  it('prints export lines that connect logclient ingest and logclient query to it', async () => {
    const { output } = startCommand(['serve']);
    await urlOf({ output });
    const exports = output.stdout.match(/^ +export .+$/gm)!;
    const script = [
      ...exports,
      `echo '{"level":"error"}' | "$0" "$1" ingest --quiet`,
      `"$0" "$1" query 'groupBy(level)' -o ndjson`,
    ].join('\n');
    const session = startProcess('bash', ['-c', script, process.execPath, CLI_FILE], {
      env: { PATH: process.env.PATH, HOME: '/nonexistent', NO_COLOR: '1', LOGCLIENT_DISCOVERY: 'off' },
    });
    expect(await session.ended).toBe(0);
    expect(session.output).toEqual({ stdout: '{"level":"error","_count":"1"}\n', stderr: '' });
  });
});

function inUse(port: number): RegExp {
  return new RegExp(`^logclient: port ${port} on 127\\.0\\.0\\.1 is in use\\. .*--port.*\\n$`);
}

describe('startOnPort() without a port', () => {
  it.for(['127.0.0.1', '0.0.0.0', '::', '::1'])(
    'skips a port that is in use on %s',
    async (host, { skip }) => {
      if (host.includes(':') && !hasIPv6) skip();
      const port = await occupy(0, host);
      const start = vi.fn(async () => ({}));
      const stderr = await withStderr(() => startOnPort(undefined, start, [port, 0]));
      expect(start.mock.calls).toEqual([[0]]);
      expect(stderr).toBe(`logclient: port ${port} is in use; listening on 0.\n`);
    },
  );

  it('tries the next port if another program takes the port before the server', async () => {
    const port = await occupy(0, '127.0.0.1');
    const start = vi
      .fn()
      .mockImplementationOnce(() => startLocalServer({ port }))
      .mockResolvedValueOnce({ isSecond: true });
    expect(await startOnPort(undefined, start, [0, 0])).toEqual({ isSecond: true });
  });

  it('rejects if all ports are in use', async () => {
    const port = await occupy(0);
    await expect(startOnPort(undefined, async () => ({}), [port, port])).rejects.toThrow(
      `ports ${port} to ${port} are in use. Set --port to another one; 0 picks a free one.`,
    );
  });

  it('rejects with any other error of the server and does not try the next port', async () => {
    const start = vi.fn(() => startLocalServer({ userToken: 'two words' }));
    await expect(startOnPort(undefined, start, [0, 0])).rejects.toThrow('"userToken"');
    expect(start).toHaveBeenCalledTimes(1);
  });
});
