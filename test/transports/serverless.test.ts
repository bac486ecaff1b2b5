import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it, type TestContext } from 'vitest';
import { IngestSink } from '../helpers/ingest-sink.ts';

const FIXTURE = resolve(import.meta.dirname, '../fixtures/serverless-function.mjs');

/** Longer than the function's request timeout. */
const FREEZE_MS = 3_500;

/** A platform with one instance of a function, and a service that is slow and fails once. */
class Platform {
  readonly sink: IngestSink;
  stderr = '';
  readonly #function: ChildProcess;
  readonly #messages: unknown[] = [];
  readonly #ended: Promise<unknown>;

  private constructor(sink: IngestSink, logging: string) {
    this.sink = sink;
    this.#function = fork(FIXTURE, {
      env: { PATH: process.env.PATH, SINK_URL: sink.url, LOGGING: logging },
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    this.#function.on('message', (message) => this.#messages.push(message));
    this.#ended = once(this.#function, 'exit').then(() => this.#messages.push('ended'));
    this.#function.stderr!.setEncoding('utf8').on('data', (text) => {
      this.stderr += text;
    });
  }

  static async start(logging: string, { onTestFinished }: TestContext): Promise<Platform> {
    const sink = await IngestSink.open();
    sink.answer = (_, index) => ({ delayMs: 150, status: index === 0 ? 503 : 200 });
    const platform = new Platform(sink, logging);
    onTestFinished(async () => {
      await platform.kill();
      await sink.close();
    });
    await platform.hears('started');
    return platform;
  }

  /** The numbers of the records that have arrived, without duplicates. */
  get numbers(): unknown[] {
    return [...new Set(this.sink.events.map(({ attributes }) => attributes.n))];
  }

  /** Resolves when the function prints this. */
  async hears(expected: string): Promise<void> {
    for (;;) {
      const message = this.#messages.shift();
      if (message === expected) return;
      if (message === 'ended') throw new Error(`The function has ended: ${this.stderr}`);
      if (message === undefined) await Promise.race([once(this.#function, 'message'), this.#ended]);
    }
  }

  invoke(numbers: readonly number[], awaits = false): void {
    this.#function.send({ numbers, awaits });
  }

  freeze(): void {
    this.#function.kill('SIGSTOP');
  }

  thaw(): void {
    this.#function.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    if (this.#function.exitCode !== null || this.#function.signalCode !== null) return;
    this.#function.kill('SIGKILL');
    await this.#ended;
  }
}

describe.concurrent.each(['pino', 'winston'])('A serverless function with %s', (logging) => {
  it('has delivered its records when it responds, if it awaits the flush', async (context) => {
    const { expect } = context;
    const platform = await Platform.start(logging, context);
    platform.invoke([1, 2, 3], true);
    await platform.hears('answered');
    await platform.kill();
    expect(platform.numbers).toEqual([1, 2, 3]);
  });

  it('has delivered its records once its waitUntil promises resolve, at every invocation', async (context) => {
    const { expect } = context;
    const platform = await Platform.start(logging, context);
    for (const n of [1, 3, 5]) {
      platform.invoke([n, n + 1]);
      await platform.hears('idle');
      expect(platform.numbers).toContain(n + 1);
    }
    await platform.kill();
    expect(platform.numbers).toEqual([1, 2, 3, 4, 5, 6]);
    expect(platform.stderr).toBe('');
  });

  it.skipIf(process.platform === 'win32')(
    'loses nothing if it is frozen during a delivery',
    async (context) => {
      const { expect } = context;
      const platform = await Platform.start(logging, context);
      platform.invoke([1, 2, 3]);
      await platform.hears('answered');
      await expect.poll(() => platform.sink.requests.length, { interval: 2 }).toBe(1);
      platform.freeze();
      await sleep(FREEZE_MS);
      expect(platform.numbers).toEqual([]);
      platform.thaw();
      await platform.hears('idle');
      platform.invoke([4]);
      await platform.hears('idle');
      await platform.kill();
      expect(platform.numbers).toEqual([1, 2, 3, 4]);
    },
  );

  it.skipIf(process.platform === 'win32')(
    'resumes after a freeze in which the service closed its connections',
    async (context) => {
      const { expect } = context;
      const platform = await Platform.start(logging, context);
      platform.invoke([1]);
      await platform.hears('idle');
      platform.freeze();
      platform.sink.closeConnections();
      platform.thaw();
      platform.invoke([2]);
      await platform.hears('idle');
      await platform.kill();
      expect(platform.numbers).toEqual([1, 2]);
      expect(platform.stderr).toBe('');
    },
  );
});
