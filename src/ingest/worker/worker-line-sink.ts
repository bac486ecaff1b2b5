import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { IngesterOptions } from '../options.ts';
import { exitTimeLeft } from '../process/exit-time.ts';
import { type ProcessExitListener, unwatchProcessExit, watchProcessExit } from '../process/process-exit.ts';
import { addStats, NO_RECORDS, settledRecords, withLoss } from '../report/combined-stats.ts';
import type { DeliveryEmitter } from '../report/delivery-emitter.ts';
import type { IngesterStats } from '../report/ingester-stats.ts';
import { WorkerKeepAlive } from './keep-worker-alive.ts';
import { InProcessLineSink, type LineSink } from './line-sink.ts';
import type { LineMapperFactory } from './reporting-line-stream.ts';
import { WorkerProgress } from './worker-progress.ts';
import { END_LINE, type WorkerMessage, type WorkerRequest, type WorkerSettings } from './worker-protocol.ts';
import { startWorkerThread, type WorkerThread } from './worker-thread.ts';
import { WorkerWriter } from './worker-writer.ts';

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
  readonly emitter: DeliveryEmitter;
}

/**
 * Delivers from a worker thread, which thread-stream feeds through shared memory. At the end of the process this
 * thread waits for the worker, so that `process.exit()` and an uncaught exception lose nothing.
 *
 * A worker that can't start or dies is replaced by delivery in this thread, beginning with what it had not taken over.
 */
export class WorkerLineSink implements LineSink, ProcessExitListener {
  readonly #options: WorkerLineSinkOptions;
  readonly #emitter: DeliveryEmitter;
  readonly #progress = new WorkerProgress();
  readonly #thread: WorkerThread;
  readonly #hold: WorkerKeepAlive;
  readonly #port: MessagePort;
  readonly #writer: WorkerWriter;
  #isAtLineStart = true;
  /** Lines that hold no record. */
  #controlLines = 0;
  /** What the mapper was told last, which that of a replacement has to know, too. */
  #told: string | undefined;
  /** Those that the worker has not done yet, by number. */
  readonly #flushes = new Map<number, () => void>();
  #lastFlush = 0;
  /** What the worker has told last, and when it is dead, what is known of its records. */
  #stats: IngesterStats = NO_RECORDS;
  #closing: Promise<void> | undefined;
  /** The worker is asked to deliver what it has and to close. */
  #isEnding = false;
  /** The worker has delivered what it could. */
  #hasClosed = false;
  #isGone = false;
  #failure = '';
  #replacement: InProcessLineSink | undefined;

  /** @throws Error when no worker can be created */
  constructor(options: WorkerLineSinkOptions) {
    this.#options = options;
    this.#emitter = options.emitter;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#thread = startWorkerThread(options.file, this.#settings(port2));
    this.#hold = new WorkerKeepAlive(this.#thread);
    this.#writer = new WorkerWriter({
      thread: this.#thread,
      progress: this.#progress,
      onFarAhead: () => this.#request({ name: 'hurry' }),
    });
    this.#listen();
    watchProcessExit(this);
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
    this.#writer.write(text);
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

  beginExit(): void {
    if (this.#isGone || this.#isEnding) return;
    this.#askToEnd();
    this.#writer.send();
  }

  atExit(): void {
    if (this.#isGone) return;
    this.beginExit();
    if (!this.#progress.waitForStart(exitTimeLeft(START_TIMEOUT_MS))) this.#failure = 'it did not start';
    else if (!this.#progress.hasEnded) this.#endThread();
    this.#receiveAll();
    this.#gone();
  }

  #settings(port: MessagePort): WorkerSettings {
    return {
      logclientWorker: true,
      options: this.#options.ingesterOptions,
      forwardsWarnings: this.#emitter.stderrSubstitute !== undefined,
      progress: this.#progress.shared,
      port,
    };
  }

  #listen(): void {
    const thread = this.#thread;
    const onFailure = (error: unknown): void => {
      this.#failure = messageOf(error);
    };
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
    if (message.name === 'flushed') {
      this.#flushed(message.id);
      return;
    }
    if (message.name === 'stats') this.#stats = message.value;
    this.#emitter.emit(message);
  }

  #flushed(id: number): void {
    this.#flushes.get(id)?.();
    this.#flushes.delete(id);
  }

  /** Receives what the worker has sent by now, without a turn of the event loop. */
  #receiveAll(): void {
    for (let next = receiveMessageOnPort(this.#port); next !== undefined; ) {
      this.#receive(next.message);
      next = receiveMessageOnPort(this.#port);
    }
  }

  async #flushWorker(): Promise<void> {
    const id = ++this.#lastFlush;
    const flushed = new Promise<void>((resolve) => this.#flushes.set(id, resolve));
    // In an outage the worker flushes as long as that lasts.
    const release = this.#hold.hold(this.#options.closeTimeoutMs);
    await this.#writer.arrived();
    if (!this.#isGone) this.#request({ name: 'flush', id });
    await flushed;
    release();
  }

  #askToEnd(): void {
    this.#isEnding = true;
    this.#request({ name: 'hurryForGood' });
    this.#writeControl(END_LINE);
  }

  #request(request: WorkerRequest): void {
    this.#port.postMessage(request);
  }

  /** Waits until the worker has delivered what it can. */
  #endThread(): void {
    try {
      if (!this.#writer.sendSync(exitTimeLeft(TAKE_TIMEOUT_MS)))
        throw new Error('it stopped accepting records');
      this.#thread.flushSync();
      this.#thread.end();
      this.#hasClosed = !this.#thread.destroyed;
      if (!this.#hasClosed) this.#failure = 'it did not stop in time';
    } catch (error) {
      this.#failure = messageOf(error);
    }
  }

  #gone(): void {
    if (this.#isGone) return;
    this.#receiveAll();
    this.#isGone = true;
    unwatchProcessExit(this);
    this.#port.close();
    const left = this.#writer.drain();
    this.#controlLines -= controlLinesIn(left);
    const lines = left.replace(END_TEXT, '');
    // First of all: what a hook logs that hears of the death comes behind it.
    if (lines !== '') this.#replace().takeBack(lines);
    if (!this.#hasClosed) this.#tellOfDeath();
    for (const id of [...this.#flushes.keys()]) this.#flushed(id);
  }

  #tellOfDeath(): void {
    const { takenLines } = this.#progress;
    // It may have delivered more than it has told.
    const isSpooled = this.#options.ingesterOptions.spool !== undefined;
    const undelivered = Math.max(0, (takenLines - this.#controlLines - settledRecords(this.#stats)) | 0);
    // The replacement takes over what the dead worker has left on the disk.
    const lost = isSpooled ? 0 : undelivered;
    const loss = lost === 0 ? '' : ` Undelivered records were lost: at most ${lost}.`;
    const failure = this.#failure === '' ? 'unknown reason' : this.#failure;
    this.#warn(
      `The worker thread ended (${failure}). Records are delivered from the main thread instead.${loss}`,
    );
    this.#stats = withLoss(this.#stats, lost);
    if (isSpooled) this.#replace();
    if (lost > 0) this.#emitter.emit({ name: 'drop', value: { reason: 'closed', records: lost } });
  }

  #replace(): InProcessLineSink {
    this.#replacement ??= this.#createReplacement();
    return this.#replacement;
  }

  #createReplacement(): InProcessLineSink {
    const { ingesterOptions, mapperFor } = this.#options;
    const replacement = new InProcessLineSink(ingesterOptions, mapperFor, this.#emitter);
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
      this.#hold.holdForGood();
      await new Promise<void>((resolve) => {
        this.#thread.once('close', resolve);
        this.#askToEnd();
      });
    }
    await this.#replacement?.close();
  }

  #warn(message: string): void {
    this.#emitter.warnings.report('internal', () => message);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown reason';
}

/** They begin with a character that JSON text doesn't have. */
function controlLinesIn(text: string): number {
  return text.split('\n').filter((line) => line.charCodeAt(0) < 0x20).length;
}
