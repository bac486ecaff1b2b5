import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LocalServerState } from '../../../src/core/discovery/local-servers.ts';
import { NONCE_HEADER, PROOF_HEADER } from '../../../src/core/discovery/server-proof.ts';
import { Ingester, LogClient, type Warning } from '../../../src/index.ts';
import { startLocalServer } from '../../../src/server/index.ts';
import { transports } from '../../fixtures/transports.mjs';
import { type CliProcess, startCli, startProcess } from '../../helpers/cli-process.ts';
import { runCommand } from '../../helpers/cli-run.ts';
import { lawCases } from '../../helpers/laws.ts';
import { connectMcp } from '../../helpers/mcp-client.ts';
import { stateOf, writeStateFile } from '../../helpers/state-file.ts';

const FIXTURES = resolve(import.meta.dirname, '../../fixtures');
const RECORD = 'a-record-that-only-the-server-may-get';

let home: string;
let env: Record<string, string>;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'logclient-takeover-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  env = { PATH: process.env.PATH!, HOME: home, XDG_STATE_HOME: home, LOGCLIENT_DISCOVERY: '' };
});

/** A running `logclient serve`, and its state file. */
async function startServe(): Promise<{ readonly serve: CliProcess; readonly state: LocalServerState }> {
  const serve = startCli(['serve', '--port', '0'], env);
  await expect.poll(() => serve.output.stdout + serve.output.stderr).toContain('Ctrl-C');
  return { serve, state: await stateIn(home) };
}

async function stateIn(stateHome: string): Promise<LocalServerState> {
  const folder = join(stateHome, 'logclient/servers');
  const [file = ''] = await readdir(folder);
  return JSON.parse(await readFile(join(folder, file), 'utf8'));
}

/** A program that listens at the address of a server. */
interface Foreign {
  /** All that it has received. */
  readonly received: () => string;
  readonly connections: () => number;
  readonly url: string;
}

/** Reacts to the data of a client. */
type Behavior = (data: string, socket: Socket) => void;

async function takePort(url: string, behavior: Behavior): Promise<Foreign> {
  let received = '';
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      received += data.toString('latin1');
      behavior(data.toString('latin1'), socket);
    });
  });
  await new Promise<void>((done, failed) => {
    server.once('error', failed).listen(Number(new URL(url).port), '127.0.0.1', done);
  });
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return { received: () => received, connections: () => connections, url: `http://127.0.0.1:${port}` };
}

/** The response of the real server to a challenge of the foreign program, head included. */
async function recordedProof(url: string, nonce: string): Promise<string> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  const response = new Promise<string>((done, failed) => {
    socket.once('data', (data) => done(data.toString('latin1'))).once('error', failed);
  });
  socket.write(`GET /instance HTTP/1.1\r\nhost: ${host}\r\n${NONCE_HEADER}: ${nonce}\r\n\r\n`);
  const text = await response;
  socket.destroy();
  return text;
}

const nonceIn = (request: string): string =>
  new RegExp(`${NONCE_HEADER}: (\\S+)`, 'i').exec(request)?.[1] ?? '';

function responseWith(proof: string): string {
  return `HTTP/1.1 204 No Content\r\n${PROOF_HEADER}: ${proof}\r\n\r\n`;
}

/** What a foreign program can do that has seen all HTTP traffic of the server that it replaces. */
const BEHAVIORS: Readonly<Record<string, (state: LocalServerState) => Promise<Behavior>>> = {
  'replays a proof of the server': async ({ url }) => {
    const recorded = await recordedProof(url, 'n'.repeat(43));
    expect(recorded).toContain(PROOF_HEADER);
    return (_, socket) => void socket.write(recorded);
  },
  'sends the nonce back as the proof': async () => (data, socket) =>
    void socket.write(responseWith(nonceIn(data))),
  'sends the URL and the process ID of the server':
    async ({ url, pid }) =>
    (_, socket) =>
      void socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${url.length + 6}\r\n\r\n${url}${pid}`),
  'accepts every request': async () => (_, socket) =>
    void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'),
  'closes every connection': async () => (_, socket) => void socket.end(),
  'sends endless headers': async () => (_, socket) =>
    void socket.write(`HTTP/1.1 204 No Content\r\n${'x: y\r\n'.repeat(10_000)}`),
};

function expectNothingIn({ received, connections }: Foreign, { secret, variables }: LocalServerState): void {
  expect(connections()).toBeGreaterThan(0);
  for (const token of [secret, variables.LOGSCALE_TOKEN!, variables.LOGSCALE_INGEST_TOKEN!, RECORD]) {
    expect(received()).not.toContain(token);
  }
  expect(received()).not.toMatch(/authorization|POST/i);
}

/** A foreign program at the address of a server that has stopped, and whose state file remains. */
async function takenOver(behavior: string): Promise<{ foreign: Foreign; state: LocalServerState }> {
  const server = await startLocalServer();
  const file = await writeStateFile(home, stateOf(server));
  const state = JSON.parse(await readFile(file, 'utf8')) as LocalServerState;
  const react = await BEHAVIORS[behavior]!(state);
  await server.close();
  return { foreign: await takePort(state.url, react), state };
}

function runProgram(HOW: string, more: Record<string, string> = {}): Promise<unknown> {
  const OPTIONS = HOW in transports ? '{"closeTimeoutMs":1000}' : '{}';
  return startProcess(process.execPath, [join(FIXTURES, 'discover.mjs')], {
    env: { ...env, HOW, OPTIONS, RECORD, ...more },
  }).ended;
}

const programs = [...Object.keys(transports), 'LogClient', 'LogIngestClient'].map(
  (name) => [name, () => runProgram(name)] as const,
);

/** Everything that discovers local servers. */
const CLIENTS: Readonly<Record<string, () => Promise<unknown>>> = {
  ...Object.fromEntries(programs),
  'createPinoStream on process.exit()': () => runProgram('createPinoStream', { ENDING: 'exit' }),
  'logclient query': () => runCommand(['query', RECORD], { env }),
  'logclient ingest': () => runCommand(['ingest', '-q'], { env, stdin: `{"msg":"${RECORD}"}\n` }),
  'logclient serve --env': () => runCommand(['serve', '--env'], { env }),
  'logclient dev': () => startCli(['dev', process.execPath, '--version'], env).ended,
  'logclient mcp': async () => (await connectMcp({ env })).call('query', { query: RECORD }),
};

describe('A program that takes the port of a local server after it has stopped, and replays its proof', {
  timeout: 60_000,
}, () => {
  it.each(lawCases(Object.entries(CLIENTS), 5))('gets no token and no record from %s', async (_, run) => {
    const { foreign, state } = await takenOver('replays a proof of the server');
    await run();
    expectNothingIn(foreign, state);
  });
});

it.each(Object.keys(BEHAVIORS))(
  'a program at the address of a stopped local server that %s gets no token and no record',
  async (behavior) => {
    const { foreign, state } = await takenOver(behavior);
    for (const [name, value] of Object.entries({ ...env, CI: '', NODE_ENV: '' })) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(new LogClient().query(RECORD)).rejects.toMatchObject({ code: 'LOG_CONNECTION' });
    const warnings: Warning[] = [];
    const ingester = new Ingester({ closeTimeoutMs: 500, onWarning: (warning) => warnings.push(warning) });
    ingester.add({ attributes: { record: RECORD } });
    await ingester.close();
    expect(warnings.map(({ kind }) => kind)).toContain('closed');
    expectNothingIn(foreign, state);
  },
);

describe('A program that forwards connections to the local server', { timeout: 60_000 }, () => {
  it('gets no token and no record, although the server gives it valid proofs', async () => {
    await using server = await startLocalServer();
    const { url, secret, repository, userToken, ingestToken } = server;
    const between: Behavior = (data, socket) => {
      const pair = pairs.get(socket) ?? connect(Number(new URL(url).port), '127.0.0.1');
      if (!pairs.has(socket)) {
        pairs.set(socket, pair);
        pair.on('error', () => {}).on('data', (answer) => void socket.write(answer));
        onTestFinished(() => void pair.destroy());
      }
      // With its own host, so that the server accepts the request.
      pair.write(data.replace(/^host: .*$/im, `host: ${new URL(url).host}`), 'latin1');
    };
    const pairs = new Map<Socket, Socket>();
    const foreign = await takePort('http://127.0.0.1:0', between);
    const variables = {
      LOGSCALE_URL: foreign.url,
      LOGSCALE_REPOSITORY: repository,
      LOGSCALE_TOKEN: userToken,
      LOGSCALE_INGEST_TOKEN: ingestToken,
    };
    await writeStateFile(home, { url: foreign.url, secret, variables });
    for (const HOW of ['createPinoStream', 'createPinoTransport', 'LogClient']) await runProgram(HOW);
    await runProgram('createPinoStream', { ENDING: 'exit' });
    await runCommand(['query', RECORD], { env });
    const { call } = await connectMcp({ env });
    await call('query', { query: RECORD });
    expectNothingIn(foreign, await stateIn(home));
    expect(server.inspect.requests().map(({ path }) => path)).toContain('/instance');
    expect(server.inspect.events()).toEqual([]);
  });
});

describe('A program that takes the port while a client of the local server runs', { timeout: 60_000 }, () => {
  it('gets no token and no record from a live query, a transport, or MCP', async () => {
    const { serve, state } = await startServe();
    const tail = startCli(['tail'], env);
    const transport = startProcess(process.execPath, [join(FIXTURES, 'log-each-line.mjs')], { env });
    const { call } = await connectMcp({ env });
    expect(await call('query', { query: 'count()' })).toMatchObject({ isError: false });
    transport.child.stdin!.write('1\n');
    await expect.poll(() => tail.output.stdout).toContain('n');
    serve.child.kill('SIGTERM');
    await serve.ended;
    const foreign = await takePort(
      state.url,
      (data, socket) => void socket.write(responseWith(nonceIn(data))),
    );
    await writeStateFile(home, { ...state, pid: process.pid });
    transport.child.stdin!.write('2\n');
    await expect.poll(() => foreign.connections()).toBeGreaterThan(0);
    await expect.poll(() => transport.output.stderr).toContain('another program uses its port');
    expect(await call('query', { query: RECORD })).toMatchObject({ isError: true });
    await expect.poll(() => tail.output.stderr).toMatch(/reconnect|stopped/i);
    transport.child.stdin!.end('3\n');
    await transport.ended;
    expectNothingIn(foreign, state);
  });
});
