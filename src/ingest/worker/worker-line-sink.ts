import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { systemClock } from '../../internal/clock.ts';
import { exitTimeLeft } from '../exit-delivery/exit-time.ts';
import type { IngesterOptions } from '../ingester-options.ts';
import type { IngesterStats } from '../ingester-stats.ts';
import { type ProcessEndListener, unwatchProcessEnd, watchProcessEnd } from '../process-end.ts';
import { addStats, NO_RECORDS, settledRecords, withLoss } from './combined-stats.ts';
import type { DeliveryAnnouncer } from './delivery-announcer.ts';
import { LineFeed } from './line-feed.ts';
import { InProcessLineSink, type LineSink } from './line-sink.ts';
import type { LineMapperFactory } from './reporting-line-stream.ts';
import { WorkerProgress } from './worker-progress.ts';
import { END_LINE, type WorkerMessage, type WorkerRequest, type WorkerSettings } from './worker-protocol.ts';
import { startWorkerThread, type WorkerThread } from './worker-thread.ts';

/** How long the end of the process waits for a worker that has only just been created. */
const START_TIMEOUT_MS = 5_000;

/** How long it waits for one that takes nothing. */
const TAKE_TIMEOUT_MS = 3_000;

const END_TEXT = `${END_LINE}\n`;

export interface WorkerLineSinkOptions {
  /** The worker's entry. */
  readonly file: URL;
  /** Plain data. */
  readonly ingesterOptions: IngesterOptions;
  /** What the worker's entry uses, for delivery in this thread. */
  readonly mapperFor: LineMapperFactory;
  /** How long somebody who waits for a flush holds the process. */
  readonly closeTimeoutMs: number;
  readonly announcer: DeliveryAnnouncer;
}

/**
 * Delivers from a worker thread, which thread-stream feeds through shared memory. At the end of the process this
 * thread waits for the worker, so that `process.exit()` and an uncaught exception lose nothing.
 *
 * A worker that can't start or dies is replaced by delivery in this thread, beginning with what it had not taken over.
 */
export class WorkerLineSink implements LineSink, ProcessEndListener {
  readonly #options: WorkerLineSinkOptions;
  readonly #announcer: DeliveryAnnouncer;
  readonly #progress = new WorkerProgress();
  readonly #thread: WorkerThread;
  readonly #port: MessagePort;
  readonly #feed: LineFeed;
  #isAtLineStart = true;
  /** Lines that hold no record. */
  #controlLines = 0;
  /** What the mapper was told last, which that of a replacement has to know, too. */
  #told: string | undefined;
  /** thread-stream forgets some of them when its worker dies. */
  readonly #flushes = new Set<() => void>();
  /** What the worker has told last, and when it is dead, what is known of its records. */
  #stats: IngesterStats = NO_RECORDS;
  #closing: Promise<void> | undefined;
  /** The worker has delivered what it could. */
  #hasClosed = false;
  #isGone = false;
  #failure = '';
  #replacement: LineSink | undefined;

  /** @throws Error when no worker can be created */
  constructor(options: WorkerLineSinkOptions) {
    this.#options = options;
    this.#announcer = options.announcer;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#thread = startWorkerThread(options.file, this.#settings(port2));
    this.#feed = new LineFeed({
      thread: this.#thread,
      progress: this.#progress,
      onFarAhead: () => this.#request('hurry'),
    });
    this.#listen();
    watchProcessEnd(this);
  }

  get stats(): IngesterStats {
    return this.#replacement === undefined ? this.#stats : addStats(this.#stats, this.#replacement.stats);
  }

  write(text: string): void {
    if (this.#isGone) {
      this.#replace().write(text);
      return;
    }
    this.#isAtLineStart = text.endsWith('\n');
    this.#feed.write(text);
  }

  control(line: string): void {
    this.#told = line;
    this.#writeControl(line);
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
    this.#request('hurryForGood');
    if (!this.#progress.waitForStart(exitTimeLeft(START_TIMEOUT_MS))) this.#failure = 'it did not start';
    else if (!this.#progress.hasEnded) this.#endThread();
    this.#receiveAll();
    this.#gone();
  }

  #settings(port: MessagePort): WorkerSettings {
    return {
      logclientWorker: true,
      options: this.#options.ingesterOptions,
      forwardsWarnings: this.#announcer.stderrSubstitute !== undefined,
      progress: this.#progress.shared,
      port,
    };
  }

  #listen(): void {
    const thread = this.#thread;
    const onFailure = (error: unknown): void => {
      this.#failure = messageOf(error);
    };
    thread.on('ready', () => {
      if (this.#closing === undefined) thread.unref();
    });
    thread.on('error', onFailure);
    // Without this listener, a worker file that can't be loaded would end the program.
    thread.worker.on('error', onFailure);
    thread.on('close', () => this.#gone());
    this.#port.on('message', (message: WorkerMessage) => this.#receive(message));
    this.#port.unref();
  }

  #receive(message: WorkerMessage): void {
    if (message.name === 'closed') {
      this.#hasClosed = true;
      // By now the worker has nothing left to wait for, so that ending it blocks this thread for a moment only.
      this.#thread.end();
      return;
    }
    if (message.name === 'stats') this.#stats = message.value;
    this.#announcer.announce(message);
  }

  /** Receives what the worker has sent by now, without a turn of the event loop. */
  #receiveAll(): void {
    for (let next = receiveMessageOnPort(this.#port); next !== undefined; ) {
      this.#receive(next.message);
      next = receiveMessageOnPort(this.#port);
    }
  }

  async #flushWorker(): Promise<void> {
    // The worker holds the process, but thread-stream would let it until it has flushed, in an outage for ever.
    this.#thread.worker.ref();
    const hold = systemClock.startTimer(this.#options.closeTimeoutMs, () => this.#thread.worker.unref());
    return new Promise((resolve) => {
      const done = (): void => {
        hold.cancel();
        this.#flushes.delete(done);
        this.#receiveAll();
        resolve();
      };
      this.#flushes.add(done);
      void this.#feed.sent().then(() => this.#thread.flush(done));
    });
  }

  #request(name: WorkerRequest['name']): void {
    this.#port.postMessage({ name } satisfies WorkerRequest);
  }

  /** Waits until the worker has delivered what it can. */
  #endThread(): void {
    try {
      if (!this.#feed.sendSync(TAKE_TIMEOUT_MS)) throw new Error('it does not take what was logged');
      this.#thread.flushSync();
      this.#thread.end();
      this.#hasClosed = !this.#thread.destroyed;
      if (!this.#hasClosed) this.#failure = 'it did not end in time';
    } catch (error) {
      this.#failure = messageOf(error);
    }
  }

  #gone(): void {
    if (this.#isGone) return;
    this.#receiveAll();
    this.#isGone = true;
    unwatchProcessEnd(this);
    this.#port.close();
    if (!this.#hasClosed) this.#tellOfDeath();
    const left = this.#feed.drain().replace(END_TEXT, '');
    if (left !== '') this.#replace().write(left);
    for (const done of [...this.#flushes]) done();
  }

  #tellOfDeath(): void {
    const { takenLines } = this.#progress;
    // It may have delivered more than it has told.
    const isSpooled = this.#options.ingesterOptions.spool !== undefined;
    const undelivered = Math.max(0, (takenLines - this.#controlLines - settledRecords(this.#stats)) | 0);
    // The replacement takes over what the dead worker has left on the disk.
    const lost = isSpooled ? 0 : undelivered;
    const loss = lost === 0 ? '' : ` What it had not delivered is lost: at most ${lost} records.`;
    const failure = this.#failure === '' ? 'for an unknown reason' : this.#failure;
    this.#warn(
      `The worker thread ended (${failure}). Records are delivered from the main thread instead.${loss}`,
    );
    this.#stats = withLoss(this.#stats, lost);
    if (isSpooled) this.#replace();
    if (lost > 0) this.#announcer.announce({ name: 'drop', value: { reason: 'closed', records: lost } });
  }

  #replace(): LineSink {
    this.#replacement ??= this.#createReplacement();
    return this.#replacement;
  }

  #createReplacement(): LineSink {
    const { ingesterOptions, mapperFor } = this.#options;
    const replacement = new InProcessLineSink(ingesterOptions, mapperFor, this.#announcer);
    if (this.#told !== undefined) replacement.control(this.#told);
    if (this.#hasClosed) replacement.refuseAll();
    return replacement;
  }

  #writeControl(line: string): void {
    if (!this.#isAtLineStart) this.write('\n');
    this.#controlLines++;
    this.write(`${line}\n`);
  }

  async #close(): Promise<void> {
    if (!this.#isGone) {
      this.#thread.ref();
      await new Promise<void>((resolve) => {
        this.#thread.once('close', resolve);
        this.#request('hurryForGood');
        this.#writeControl(END_LINE);
      });
    }
    await this.#replacement?.close();
  }

  #warn(message: string): void {
    this.#announcer.warnings.report('internal', () => message);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'for an unknown reason';
}
