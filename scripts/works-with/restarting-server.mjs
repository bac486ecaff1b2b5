import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { LogClient } from 'logclient';

const CLI = resolve(import.meta.dirname, '../../dist/cli/main.js');
const REPOSITORY = 'sandbox';
const USER_TOKEN = 'dev-user-token';
const INGEST_TOKEN = 'dev-ingest-token';
const DEADLINE_MS = 60_000;
/** Counts records by the number in their text. */
const COUNT = `regex("order-(?<order>\\\\d+)") | groupBy(order, limit=max) | [count(as=distinct), sum(_count, as=total)]`;

/** Runs `logclient serve` with a data folder; it can be killed and restarted on the same port. */
export class RestartingServer {
  #dataDir;
  #port;
  #process;
  #client;

  constructor(dataDir) {
    this.#dataDir = dataDir;
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`;
  }

  get variables() {
    return {
      LOGSCALE_URL: this.url,
      LOGSCALE_REPOSITORY: REPOSITORY,
      LOGSCALE_TOKEN: USER_TOKEN,
      LOGSCALE_INGEST_TOKEN: INGEST_TOKEN,
    };
  }

  /** @returns the configuration with this server's URL */
  configure(text) {
    return text.replaceAll('http://localhost:5647', this.url);
  }

  async start() {
    this.#port ??= await freePort();
    const tokens = ['--user-token', USER_TOKEN, '--ingest-token', INGEST_TOKEN];
    this.#process = spawn(
      process.execPath,
      [CLI, 'serve', '--port', String(this.#port), '--data-dir', this.#dataDir, ...tokens],
      { env: { ...process.env, LOGCLIENT_DISCOVERY: 'off' }, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    this.#client = new LogClient({ baseUrl: this.url, repository: REPOSITORY, userToken: USER_TOKEN });
    await until(() => this.#client.getStatus().then(() => true));
  }

  /** Sends SIGKILL, so that the server can't finish pending work. */
  async kill() {
    if (this.#process === undefined || this.#process.exitCode !== null || this.#process.signalCode !== null)
      return;
    this.#process.kill('SIGKILL');
    await once(this.#process, 'exit');
  }

  /** @returns the number of records that have arrived, without duplicates and with them */
  async count() {
    const [row] = await this.#client.query(COUNT, { start: 0 });
    return { distinct: Number(row?.distinct ?? 0), total: Number(row?.total ?? 0) };
  }

  /** @throws if the condition is still false after a minute */
  waitFor(condition) {
    return until(async () => condition(await this.count()));
  }
}

async function until(isTrue) {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await isTrue().catch(() => false))) {
    if (Date.now() > deadline) throw new Error('Nothing happened for a minute.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
