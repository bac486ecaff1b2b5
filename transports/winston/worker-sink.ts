import type { Worker } from 'node:worker_threads';
import ThreadStream from 'thread-stream';
import type { IngesterOptions } from '../../src/ingest/ingester-options.ts';
import { type ProcessEndListener, unwatchProcessEnd, watchProcessEnd } from '../../src/ingest/process-end.ts';
import type { Warnings } from '../../src/ingest/warnings.ts';
import { type EventSink, InProcessSink } from './event-sink.ts';
import { CLOSED_EVENT, decodeLine, END_LINE, encodeLine, type WorkerSettings } from './worker-protocol.ts';

/** What may wait in this thread for the worker to read it; beyond that, a log call waits for the worker. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/** A worker that has only just been created may need a moment before it can be waited for. */
const START_GRACE_MS = 100;

/** What thread-stream has and its types leave out. */
interface Thread extends ThreadStream {
  readonly worker: Worker;
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
  readonly #options: IngesterOptions;
  readonly #baseTagsText: string;
  readonly #warnings: Warnings;
  readonly #stream: Thread;
  /** Lines that a worker which never starts would take with it. */
  #beforeReady: string[] | undefined = [];
  #unreadBytes = 0;
  /** thread-stream forgets some of them when its worker dies. */
  readonly #flushes = new Set<() => void>();
  #closing: Promise<void> | undefined;
  /** The worker has delivered what it could. */
  #hasClosed = false;
  #isGone = false;
  #failure = '';
  #replacement: EventSink | undefined;

  /** Throws when no worker can be created. */
  constructor(options: IngesterOptions, baseTagsText: string, warnings: Warnings) {
    this.#options = options;
    this.#baseTagsText = baseTagsText;
    this.#warnings = warnings;
    const settings: WorkerSettings = { logclientWorker: true, options };
    this.#stream = new ThreadStream({
      filename: new URL('./winston-worker.js', import.meta.url).href,
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
    this.#beforeReady?.push(line);
    if (this.#stream.write(line)) return;
    this.#unreadBytes += line.length;
    if (this.#unreadBytes > MAX_UNREAD_BYTES) this.#waitForReader();
  }

  async flush(): Promise<void> {
    if (!this.#isGone) {
      await new Promise<void>((resolve) => {
        const done = (): void => {
          this.#flushes.delete(done);
          resolve();
        };
        this.#flushes.add(done);
        this.#stream.flush(done);
      });
    }
    await this.#replacement?.flush();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  beforeExit(): void {
    // The worker has an event loop of its own; waiting for it at the exit is enough.
  }

  atExit(): void {
    if (this.#isGone) return;
    try {
      this.#stream.flushSync();
      if (this.#beforeReady !== undefined) sleep(START_GRACE_MS);
      this.#stream.end();
    } catch (error) {
      this.#warn(`The worker did not take what was logged last: ${messageOf(error)}`);
    }
  }

  #listen(): void {
    const stream = this.#stream;
    stream.on('ready', () => {
      this.#beforeReady = undefined;
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

  #onGone(): void {
    this.#isGone = true;
    unwatchProcessEnd(this);
    if (!this.#hasClosed) this.#replaceWorker();
    for (const done of this.#flushes) done();
  }

  #replaceWorker(): void {
    const lines = this.#beforeReady ?? [];
    this.#beforeReady = undefined;
    this.#warn(
      `The worker thread ended (${this.#failure}). Records are delivered from the main thread instead.`,
    );
    for (const line of lines) {
      const { eventText, tagsText } = decodeLine(line.slice(0, -1), this.#baseTagsText);
      this.#replace().write(eventText, tagsText);
    }
  }

  #replace(): EventSink {
    this.#replacement ??= new InProcessSink(this.#options);
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

/** Blocks the thread. */
function sleep(delayMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delayMs);
}
