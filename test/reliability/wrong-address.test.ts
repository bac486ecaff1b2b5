import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closedPort } from '../helpers/closed-port.ts';
import { type HttpService, sendJson, startService } from '../helpers/http-service.ts';
import { runNode } from '../helpers/run-node.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const STATUS = 'GET /api/v1/status';
const INGEST = 'POST /api/v1/ingest/humio-structured';
const ADVICE = 'No address is set. Pass "baseUrl" or set LOGSCALE_URL.';

const LOGGINGS = [
  'pino.transport',
  'createPinoTransport',
  'createPinoStream',
  'winston worker',
  'winston in-process',
];

/** A copy of the built package whose default address has the port DEFAULT_PORT, because port 3000 may be in use. */
let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'logclient-'));
  await cp(join(ROOT, 'dist'), join(copy, 'dist'), { recursive: true });
  await cp(join(ROOT, 'package.json'), join(copy, 'package.json'));
  await cp(join(ROOT, 'test/fixtures'), join(copy, 'fixtures'), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const names = (await readdir(join(copy, 'dist'))).filter((name) => /\.c?js$/.test(name));
  const replaced = await Promise.all(names.map((name) => replaceDefault(join(copy, 'dist', name))));
  expect(replaced.filter(Boolean)).toHaveLength(4); // For ESM and CommonJS, and in their programs of the worker.
});

async function replaceDefault(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8');
  // The program of the worker is minified.
  const changed = text.replace(
    /(?<=[=?]\s*)(["`])http:\/\/localhost:3000\1/,
    '$1http://localhost:$1 + process.env.DEFAULT_PORT',
  );
  await writeFile(file, changed);
  return changed !== text;
}

afterAll(() => rm(copy, { recursive: true, force: true }));

function run(fixture: string, env: Record<string, string>) {
  return runNode(join(copy, 'fixtures', `${fixture}.mjs`), env);
}

function linesOf(stderr: string): string[] {
  return stderr.split('\n').filter((line) => line !== '');
}

/** Logs three records with each logger and ends, without an address unless `more` has one. */
async function logAndEnd(ending: string, start: () => Promise<{ port: number; more?: object }>) {
  const outcomes = LOGGINGS.map(async (logging) => {
    const { port, more = {} } = await start();
    const settings = { logging, ending, count: 3, more };
    const env = { SETTINGS: JSON.stringify(settings), DEFAULT_PORT: String(port) };
    return [logging, linesOf((await run('log-and-end', env)).stderr)] as const;
  });
  return new Map(await Promise.all(outcomes));
}

describe.concurrent('Without an address', () => {
  it.each(LOGGINGS)(
    'an app that logs its own requests gets no records, and LogScale gets all of them later: %s',
    async (logging) => {
      const { stdout, stderr } = await run('log-to-default-address', { LOGGING: logging, AT: 'app' });
      const lines = linesOf(stderr);
      expect(lines).toEqual([
        expect.stringMatching(/^logclient: No records are being delivered: .* is not LogScale/),
        'logclient: Records are delivered again.',
      ]);
      expect(lines[0]).toContain(ADVICE);
      const { before, delivered, first } = JSON.parse(stdout);
      expect(new Set(before)).toEqual(new Set([STATUS]));
      expect(first).toBe(STATUS);
      expect(delivered).toEqual([
        'started',
        ...before.map((_: string, index: number) => `request ${index + 1}`),
      ]);
    },
  );

  it.each(LOGGINGS)('records wait for a service that is not running yet: %s', async (logging) => {
    const { stdout, stderr } = await run('log-to-default-address', { LOGGING: logging, AT: 'nothing' });
    const lines = linesOf(stderr);
    expect(lines).toEqual([
      expect.stringMatching(/^logclient: No records are being delivered: Nothing is listening/),
      'logclient: Records are delivered again.',
    ]);
    expect(lines[0]).toContain(ADVICE);
    expect(JSON.parse(stdout)).toEqual({ before: [], delivered: ['started'], first: STATUS });
  });
});

describe.each(['natural', 'exit'])('Every transport, process end: %s', (ending) => {
  it('sends no records to another program at the default address, and reports them as dropped', async () => {
    const apps: HttpService[] = [];
    const outcomes = await logAndEnd(ending, async () => {
      const app = await startService((_, response) => sendJson(response, { ok: true }));
      apps.push(app);
      return app;
    });
    for (const [logging, lines] of outcomes) {
      expect(lines, logging).toEqual([
        expect.stringMatching(/^logclient: No records are being delivered: http:\/\/localhost/),
        expect.stringMatching(
          /^logclient: 3 records were dropped: not delivered before close\. Last failure: .* is not LogScale/,
        ),
      ]);
      for (const line of lines) expect(line, logging).toContain(ADVICE);
    }
    const requests = apps.flatMap((app) => app.requests);
    expect(new Set(apps.flatMap(({ calls }) => calls))).toEqual(new Set([STATUS]));
    expect(requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
  });

  it('delivers to LogScale at the default address after one check', async () => {
    const services: HttpService[] = [];
    const outcomes = await logAndEnd(ending, async () => {
      const service = await startService(({ method }, response) =>
        sendJson(response, method === 'GET' ? { status: 'ok', version: '1.228.0' } : {}),
      );
      services.push(service);
      return service;
    });
    for (const [logging, lines] of outcomes) expect(lines, logging).toEqual([]);
    for (const { calls } of services) expect(calls).toEqual([STATUS, INGEST]);
  });

  it('names the option and the variable if nothing is listening at the default address', async () => {
    const more = { closeTimeoutMs: 500 };
    const outcomes = await logAndEnd(ending, async () => ({ port: await closedPort(), more }));
    for (const [logging, lines] of outcomes) {
      expect(lines.at(-1), logging).toMatch(/^logclient: 3 records were dropped: not delivered before close/);
      expect(lines.at(-1), logging).toContain(ADVICE);
    }
  });

  it('checks another program at a configured address without a token, and reports the records', async () => {
    const apps: HttpService[] = [];
    const outcomes = await logAndEnd(ending, async () => {
      const app = await startService((_, response) => response.end('ok'));
      apps.push(app);
      return { port: 1, more: { baseUrl: app.url } };
    });
    for (const [logging, lines] of outcomes) {
      expect(lines.at(-1), logging).toMatch(
        /^logclient: 3 records were dropped: .*is not LogScale.* Check "baseUrl"/,
      );
    }
    for (const { calls, requests } of apps) {
      expect(calls.slice(0, 2)).toEqual([INGEST, STATUS]);
      const checks = requests.filter(({ method }) => method === 'GET');
      expect(checks.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
    }
  });

  it('sends no check to LogScale at a configured address', async () => {
    const services: HttpService[] = [];
    const outcomes = await logAndEnd(ending, async () => {
      const service = await startService((_, response) => response.end());
      services.push(service);
      return { port: 1, more: { baseUrl: service.url } };
    });
    for (const [logging, lines] of outcomes) expect(lines, logging).toEqual([]);
    for (const { calls } of services) expect(calls).toEqual([INGEST]);
  });
});
