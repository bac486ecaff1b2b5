import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import ThreadStream from 'thread-stream';
import type { IngesterOptions } from '../../src/ingest/ingester-options.ts';
import { type ProcessEndListener, unwatchProcessEnd, watchProcessEnd } from '../../src/ingest/process-end.ts';
import type { Warnings } from '../../src/ingest/warnings.ts';
import { systemClock } from '../../src/internal/clock.ts';
import { type EventSink, InProcessSink } from './event-sink.ts';
import { CLOSED_EVENT, decodeLine, END_LINE, encodeLine, type WorkerSettings } from './worker-protocol.ts';

/** What may wait in this thread for the worker to read it; beyond that, a log call waits for the worker. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/** How long the end of the process waits for a worker that has only just been created. */
const START_TIMEOUT_MS = 5_000;

export interface WorkerSinkOptions {
  /** The tags of an event that brings none of its own, as JSON text. */
  readonly baseTagsText: string;
  /** How long somebody who waits for a flush holds the process. */
  readonly closeTimeoutMs: number;
  readonly warnings: Warnings;
}

/** What thread-stream has and its types leave out. */
interface Thread extends ThreadStream {
  readonly worker: Worker;
  readonly destroyed: boolean;
  ref(): void;
  unref(): void;
}

/**
 * Delivers from a worker thread, which thread-stream feeds through shared memory. At the end of the process this
 * thread waits for the worker, so that `process.exit()` and an uncaught exception lose nothing.
 *
 * A worker that can't start or dies is replaced by delivery in this thread.
 */
export class WorkerSink implements EventSink, ProcessEndListener {
  readonly #ingesterOptions: IngesterOptions;
  readonly #baseTagsText: string;
  readonly #closeTimeoutMs: number;
  readonly #warnings: Warnings;
  readonly #stream: Thread;
  readonly #hasStarted = new Int32Array(new SharedArrayBuffer(4));
  /** Lines that a worker which never starts would take with it. */
  #beforeStart: string[] | undefined = [];
  #unreadBytes = 0;
  /** thread-stream forgets some of them when its worker dies. */
  readonly #flushes = new Set<() => void>();
  #closing: Promise<void> | undefined;
  /** The worker has delivered what it could. */
  #hasClosed = false;
  #isGone = false;
  #failure = '';
  #replacement: EventSink | undefined;

  /** @throws Error when no worker can be created */
  constructor(options: IngesterOptions, { baseTagsText, closeTimeoutMs, warnings }: WorkerSinkOptions) {
    this.#ingesterOptions = options;
    this.#baseTagsText = baseTagsText;
    this.#closeTimeoutMs = closeTimeoutMs;
    this.#warnings = warnings;
    const settings: WorkerSettings = { logclientWorker: true, options, hasStarted: this.#hasStarted };
    this.#stream = new ThreadStream({
      filename: workerFile().href,
      workerData: settings,
      // What the program preloads is not for this worker, and might create the next one.
      workerOpts: { name: 'logclient', execArgv: [] },
    }) as Thread;
    this.#listen();
    watchProcessEnd(this);
  }

  write(eventText: string, tagsText: string): void {
    if (this.#isGone) {
      this.#replace().write(eventText, tagsText);
      return;
    }
    const line = encodeLine(eventText, tagsText, this.#baseTagsText);
    this.#forgetStarted();
    this.#beforeStart?.push(line);
    if (this.#stream.write(line)) return;
    this.#unreadBytes += line.length;
    if (this.#unreadBytes > MAX_UNREAD_BYTES) this.#waitForReader();
  }

  async flush(): Promise<void> {
    if (!this.#isGone) await this.#flushWorker();
    await this.#replacement?.flush();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  beforeExit(): void {
    // The worker has an event loop of its own; waiting for it at the exit is enough, unless somebody waits here.
    if (this.#flushes.size > 0) void this.close();
  }

  atExit(): void {
    if (this.#isGone) return;
    if (Atomics.wait(this.#hasStarted, 0, 0, START_TIMEOUT_MS) === 'timed-out') {
      const records = this.#beforeStart?.length ?? 0;
      this.#warnings.reportLoss('closed', records, lostWithoutWorker);
      return;
    }
    try {
      this.#stream.flushSync();
      this.#stream.end();
      if (this.#stream.destroyed) this.#warn('The worker did not end in time; records may be lost.');
    } catch (error) {
      this.#warn(`The worker did not take what was logged last: ${messageOf(error)}`);
    }
  }

  #listen(): void {
    const stream = this.#stream;
    stream.on('ready', () => {
      this.#forgetStarted();
      if (this.#closing === undefined) stream.unref();
    });
    stream.on('drain', () => {
      this.#unreadBytes = 0;
    });
    stream.on('error', (error: unknown) => {
      this.#failure = messageOf(error);
    });
    // Without this listener, a worker file that can't be loaded would end the program.
    stream.worker.on('error', (error: unknown) => {
      this.#failure = messageOf(error);
    });
    stream.on(CLOSED_EVENT, () => {
      this.#hasClosed = true;
    });
    stream.on('close', () => this.#onGone());
  }

  #flushWorker(): Promise<void> {
    // thread-stream would hold the process until the worker has flushed, in an outage for ever.
    const hold = systemClock.startTimer(this.#closeTimeoutMs, () => this.#stream.worker.unref());
    return new Promise((resolve) => {
      const done = (): void => {
        hold.cancel();
        this.#flushes.delete(done);
        resolve();
      };
      this.#flushes.add(done);
      this.#stream.flush(done);
    });
  }

  #onGone(): void {
    this.#isGone = true;
    unwatchProcessEnd(this);
    if (!this.#hasClosed) this.#replaceWorker();
    for (const done of this.#flushes) done();
  }

  /** What a worker has begun to read is its own affair. */
  #forgetStarted(): void {
    if (this.#beforeStart !== undefined && Atomics.load(this.#hasStarted, 0) === 1)
      this.#beforeStart = undefined;
  }

  #replaceWorker(): void {
    this.#forgetStarted();
    const lines = this.#beforeStart;
    this.#beforeStart = undefined;
    // One that has started has taken records over, and nobody knows how many of them it has delivered.
    const loss = lines === undefined ? ' What it had not delivered is lost.' : '';
    this.#warn(
      `The worker thread ended (${this.#failure}). Records are delivered from the main thread instead.${loss}`,
    );
    for (const line of lines ?? []) {
      const { eventText, tagsText } = decodeLine(line.slice(0, -1), this.#baseTagsText);
      this.#replace().write(eventText, tagsText);
    }
  }

  #replace(): EventSink {
    this.#replacement ??= new InProcessSink(this.#ingesterOptions);
    return this.#replacement;
  }

  #waitForReader(): void {
    try {
      this.#stream.flushSync();
    } catch (error) {
      this.#warn(`The worker does not read what is logged: ${messageOf(error)}`);
    }
    this.#unreadBytes = 0;
  }

  async #close(): Promise<void> {
    if (!this.#isGone) {
      this.#stream.ref();
      await new Promise<void>((resolve) => {
        this.#stream.once('close', resolve);
        // By now the worker has nothing left to wait for, so that ending it blocks this thread for a moment only.
        this.#stream.once(CLOSED_EVENT, () => this.#stream.end());
        this.#stream.write(`${END_LINE}\n`);
      });
    }
    await this.#replacement?.close();
  }

  #warn(message: string): void {
    this.#warnings.report('internal', () => message);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'for an unknown reason';
}

/**
 * The worker's file, which stands beside this one in the package.
 *
 * @throws Error where a bundler has left it behind: better known now than at the end of the process
 */
function workerFile(): URL {
  const file = new URL('./winston-worker.js', import.meta.url);
  if (existsSync(fileURLToPath(file))) return file;
  throw new Error(
    'the file winston-worker.js is missing; set worker: false, or keep this package out of the bundle',
  );
}

function lostWithoutWorker(records: number): string {
  return `Records lost, for the worker thread did not start: ${records}. Set worker: false where it can't.`;
}
