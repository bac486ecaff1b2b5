import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir, uptime } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  canDiscover,
  isListening,
  type LocalServerState,
  localServers,
  saveLocalServer,
} from '../../../src/core/discovery/local-servers.ts';
import { startLocalServer } from '../../../src/server/index.ts';
import { closedPort } from '../../helpers/closed-port.ts';
import { startService } from '../../helpers/http-service.ts';
import { cases } from '../../helpers/laws.ts';
import { writeStateFile } from '../../helpers/state-file.ts';

let stateHome: string;
beforeEach(() => {
  stateHome = mkdtempSync(join(tmpdir(), 'logclient-state-'));
  vi.stubEnv('XDG_STATE_HOME', stateHome);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(stateHome, { recursive: true, force: true });
});

/** The ID of a process that has exited. */
const deadPid = spawnSync(process.execPath, ['--version']).pid;

const folder = (): string => join(stateHome, 'logclient', 'servers');

function state(some: Partial<LocalServerState> = {}): LocalServerState {
  return {
    pid: process.pid,
    secret: randomUUID(),
    startedAt: 1,
    directory: '/elsewhere',
    url: 'http://127.0.0.1:9',
    variables: { LOGSCALE_TOKEN: 'a-token' },
    ...some,
  };
}

describe('State file of a local server', () => {
  it.skipIf(process.platform === 'win32')('is readable only by its user and can be removed', () => {
    const saved = state();
    const remove = saveLocalServer(saved);
    expect(localServers()).toEqual([saved]);
    const [file = ''] = readdirSync(folder());
    const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
    expect([modeOf(folder()), modeOf(join(folder(), file))]).toEqual(['700', '600']);
    remove();
    expect(readdirSync(folder())).toEqual([]);
  });

  it('is ignored and removed if it has the ID of this process, which did not save it', async () => {
    const stale = await writeStateFile(stateHome, { pid: process.pid });
    expect(localServers()).toEqual([]);
    const saved = state();
    saveLocalServer(saved);
    expect(localServers()).toEqual([saved]);
    expect(existsSync(stale)).toBe(false);
  });

  it('is ignored and removed if it is older than the last boot', async () => {
    const [stale, recent] = [await writeStateFile(stateHome, {}), await writeStateFile(stateHome, {})];
    const startedAt = Date.now() / 1_000 - uptime();
    utimesSync(stale, startedAt - 60, startedAt - 60);
    utimesSync(recent, startedAt + 1, startedAt + 1);
    expect(localServers()).toEqual([JSON.parse(readFileSync(recent, 'utf8'))]);
    saveLocalServer(state());
    expect([existsSync(stale), existsSync(recent)]).toEqual([false, true]);
  });

  it('is removed by the next server if its process has ended', async () => {
    const stale = await writeStateFile(stateHome, { pid: deadPid });
    const alive = await writeStateFile(stateHome, {});
    saveLocalServer(state());
    expect([existsSync(stale), existsSync(alive)]).toEqual([false, true]);
  });

  it.skipIf(process.platform === 'win32')(
    'is ignored if its process has ended, other users can access it, or it is invalid',
    async () => {
      await writeStateFile(stateHome, { pid: deadPid });
      await writeStateFile(stateHome, { mode: 0o640 });
      await writeStateFile(stateHome, { mode: 0o602 });
      await writeStateFile(stateHome, { url: null as never });
      expect(localServers()).toEqual([]);
      await writeStateFile(stateHome, { url: 'http://127.0.0.1:1' });
      expect(localServers().map(({ url }) => url)).toEqual(['http://127.0.0.1:1']);
    },
  );
});

describe('localServers()', () => {
  const cwd = process.cwd();
  const inside = fc.constantFrom(cwd, dirname(cwd), dirname(dirname(cwd)), '/');
  const outside = fc.constantFrom(join(cwd, 'below'), `${cwd}-other`, join(dirname(cwd), 'sibling'));

  it('starts with the newest server of the innermost directory that contains the cwd', () => {
    const server = fc.record({
      directory: fc.oneof(inside, outside),
      startedAt: fc.integer({ min: 0, max: 9 }),
    });
    const law = fc.property(fc.array(server, { minLength: 1, maxLength: 5 }), (servers) => {
      rmSync(folder(), { recursive: true, force: true });
      for (const each of servers) saveLocalServer(state(each));
      const contains = (directory: string): boolean =>
        directory === '/' || `${cwd}/`.startsWith(`${directory}/`);
      const containing = servers.filter(({ directory }) => contains(directory));
      const deepest = Math.max(...containing.map(({ directory }) => directory.length));
      const candidates =
        containing.length === 0
          ? servers
          : containing.filter(({ directory }) => directory.length === deepest);
      const newest = Math.max(...candidates.map(({ startedAt }) => startedAt));
      const [first] = localServers();
      expect(first!.startedAt).toBe(newest);
      expect(candidates.map(({ directory }) => directory)).toContain(first!.directory);
    });
    fc.assert(law, cases(30));
  });
});

describe('canDiscover()', () => {
  it.each<Readonly<Record<string, string>>>([
    {},
    { CI: '' },
    { NODE_ENV: 'development' },
    { LOGSCALE_URL: ' ' },
    { PATH: '/bin' },
    { LOGSCALE_FLUSH_INTERVAL_MS: '10' },
    { LOGSCALE_TAGS: 'service=cart' },
    { LOGSCALE_REDACT: 'true' },
    { LOGSCALE_FORMAT: 'hec' },
    { LOGSCALE_REPOSITORY: 'orders' },
    { LOGSCALE_ANOTHER: 'x' },
  ])('returns true with the environment %j', (environment) => expect(canDiscover(environment)).toBe(true));

  it.each<Readonly<Record<string, string>>>([
    { CI: 'true' },
    { NODE_ENV: 'production' },
    { LOGCLIENT_DISCOVERY: 'off' },
    { LOGCLIENT_DISCOVERY: 'False' },
    { LOGCLIENT_DISCOVERY: 'OFF' },
    { LOGSCALE_URL: 'http://localhost:3000' },
    { LOGSCALE_BASE_URL: 'http://localhost:3000' },
    { LOGSCALE_API_TOKEN: 'x' },
    { LOGSCALE_CA_FILE: 'ca.pem' },
    { LOGSCALE_PROFILE: 'prod' },
    { HUMIO_TOKEN: 'x' },
    { FALCON_CLOUD: 'eu-1' },
  ])('returns false with the environment %j', (environment) => expect(canDiscover(environment)).toBe(false));
});

describe('isListening()', () => {
  it('accepts only the server with that secret', async () => {
    await using logscale = await startLocalServer();
    await using ngsiem = await startLocalServer({ ngsiem: true });
    const app = await startService((_, response) => void response.end('x'.repeat(1_000_000)));
    const closed = `http://127.0.0.1:${await closedPort()}`;
    const isAt = (url: string, { secret }: { readonly secret: string }): Promise<boolean> =>
      isListening({ url, secret, variables: {} });
    expect(await isAt(logscale.url, logscale)).toBe(true);
    expect(await isAt(ngsiem.url, ngsiem)).toBe(true);
    expect(await isAt(logscale.url, ngsiem)).toBe(false);
    expect(await isAt(app.url, logscale)).toBe(false);
    expect(await isAt(closed, logscale)).toBe(false);
  });
});
