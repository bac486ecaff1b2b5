import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { closedPort } from './closed-port.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** What a client needs to connect to a server. */
export interface ServerAccess {
  readonly url: string;
  readonly repository: string;
  readonly userToken: string;
  readonly ingestToken: string;
}

/** A local server in its own process, with a data folder, that can be killed and restarted on the same port. */
export class ServerProcess {
  readonly #dataDir: string;
  #running: ChildProcess | undefined;
  /** The next process. */
  #standby = loadServer();
  readonly #port = closedPort();

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /** @returns when the server accepts connections. */
  async start(): Promise<ServerAccess> {
    const child = this.#standby;
    this.#running = child;
    child.stdin?.write(JSON.stringify({ dataDir: this.#dataDir, port: await this.#port }));
    const [line] = (await Promise.race([
      once(createInterface({ input: child.stdout! }), 'line'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`The server ended with code ${code}.`))),
    ])) as [string];
    this.#standby = loadServer();
    return JSON.parse(line) as ServerAccess;
  }

  /** Kills the server with SIGKILL. */
  async kill(): Promise<void> {
    await killProcess(this.#running);
  }

  /** Stops the server with SIGSTOP: connections stay open, and nothing responds. @returns a function that resumes it. */
  freeze(): () => void {
    const child = this.#running;
    child?.kill('SIGSTOP');
    return () => child?.kill('SIGCONT');
  }

  /** Kills the server and the standby process. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([killProcess(this.#running), killProcess(this.#standby)]);
  }
}

function loadServer(): ChildProcess {
  return spawn(process.execPath, ['test/fixtures/standby-server.mjs'], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

async function killProcess(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
