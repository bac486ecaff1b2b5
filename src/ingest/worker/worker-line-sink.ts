import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { reportServer } from '../../core/discovery/local-servers.ts';
import { keepAlive } from '../../core/keep-alive.ts';
import { sentence } from '../../core/sentence.ts';
import type { IngesterOptions } from '../options.ts';
import { exitingForMs, type ProcessExitListener, processExit } from '../process/process-exit.ts';
import { watchSignals } from '../process/process-signals.ts';
import { safeText } from '../record/safe-json.ts';
import type { DeliveryEmitter } from '../report/delivery-emitter.ts';
import type { DeliveryEvent } from '../report/delivery-event.ts';
import type { IngesterStats } from '../report/ingester-stats.ts';
import { addStats, NO_RECORDS, settledRecords, withLoss } from '../report/ingester-stats.ts';
import { type LineSink, type LineSinkOptions, SameThreadLineSink } from './line-sink.ts';
import type { ResolvedTransportOptions } from './worker-options.ts';
import { WorkerProgress } from './worker-progress.ts';
import { END_LINE, type MapperName, type WorkerMessage, type WorkerRequest } from './worker-protocol.ts';
import { isDeliveryWorker, startWorkerThread, type WorkerThread } from './worker-thread.ts';
import { WorkerWriter } from './worker-writer.ts';

/** Maximum time that process exit waits for a worker to start. */
const START_TIMEOUT_MS = 5_000;

/** Maximum time that process exit waits for a worker that reads nothing. */
const READ_TIMEOUT_MS = 3_000;

const END_TEXT = new RegExp(`${END_LINE}\\d*\n`);

/** The inherited options apply if the worker crashes and this thread delivers instead. */
export interface WorkerLineSinkOptions
  extends LineSinkOptions,
    Pick<ResolvedTransportOptions, 'workerOptions'> {
  /** Name of the same mapper in the worker. */
  readonly mapper: MapperName;
  readonly emitter: DeliveryEmitter;
}

/** Delivers from a worker, or else from this thread. If no worker can be started, with a warning. */
export function openLineSink(options: WorkerLineSinkOptions): LineSink {
  const { workerOptions, ingester } = options;
  const isHere = workerOptions === undefined || ingester.noDestination !== undefined;
  if (isHere || isDeliveryWorker()) return new SameThreadLineSink(options);
  try {
    return new WorkerLineSink(options, workerOptions);
  } catch (error) {
    const problem = `Records are delivered from the main thread instead of a worker: ${safeText(error)}`;
    options.emitter.warnings.report('internal', () => sentence(problem));
    return new SameThreadLineSink(options);
  }
}

/**
 * Delivers from a worker thread, which thread-stream feeds through shared memory. On exit, this thread waits for the
 * worker, so `process.exit()` and uncaught exceptions lose nothing.
 *
 * If the worker can't start or crashes, this thread delivers instead, starting with the lines that the worker had not
 * accepted.
 */
class WorkerLineSink implements LineSink, ProcessExitListener {
  readonly #options: WorkerLineSinkOptions;
  readonly #emitter: DeliveryEmitter;
  readonly #progress = new WorkerProgress();
  readonly #thread: WorkerThread;
  readonly #port: MessagePort;
  readonly #writer: WorkerWriter;
  #isAtLineStart = true;
  /** The last control line, which the mapper of a replacement needs, too. */
  #lastControl: string | undefined;
  /** Callbacks of the flushes in progress, by id. */
  readonly #flushes = new Map<number, (isFlushed: boolean) => void>();
  #lastFlush = 0;
  /** Counters as last reported by the worker, corrected after a crash. */
  #stats: IngesterStats = NO_RECORDS;
  #closing: Promise<void> | undefined;
  /** True if the worker has been asked to deliver the rest and to close. */
  #isEnding = false;
  /** True if the worker has delivered what it could. */
  #hasClosed = false;
  #isGone = false;
  #failure = '';
  #replacement: SameThreadLineSink | undefined;
  /** Signals are handled in this thread, because workers receive none. */
  readonly #unwatchSignals: () => void;

  /** @throws Error if no worker can be created. */
  constructor(options: WorkerLineSinkOptions, workerOptions: IngesterOptions) {
    this.#options = options;
    this.#emitter = options.emitter;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#thread = startWorkerThread({
      logclientWorker: true,
      mapper: options.mapper,
      options: workerOptions,
      localServer: options.ingester.localServer,
      forwardsWarnings: options.ingester.onWarning !== undefined,
      progress: this.#progress.shared,
      port: port2,
    });
    this.#writer = new WorkerWriter({
      thread: this.#thread,
      progress: this.#progress,
      onFarAhead: () => this.#request({ name: 'skip' }),
    });
    this.#listen();
    processExit.watch(this);
    this.#unwatchSignals = watchSignals(this, options.ingester.flushOnSignals);
    reportServer(options.ingester.localServer);
  }

  get stats(): IngesterStats {
    return this.#replacement === undefined ? this.#stats : addStats(this.#stats, this.#replacement.stats);
  }

  write(text: string): void {
    if (this.#isGone || this.#isEnding) {
      this.#replace().write(text);
      return;
    }
    this.#isAtLineStart = text.endsWith('\n');
    this.#writer.write(text);
  }

  control(line: string): void {
    this.#lastControl = line;
    this.#writeControl(line);
  }

  async flush(): Promise<boolean> {
    const isFlushed = this.#isGone || (await this.#flushWorker());
    const isRestFlushed = await this.#replacement?.flush();
    return isFlushed && isRestFlushed !== false;
  }

  /** Delivers queued records within `closeTimeoutMs`, and accepts later ones. */
  async endDelivery(): Promise<void> {
    await Promise.all([this.#endWorker(), this.#replacement?.pipeline.endDelivery()]);
  }

  close(): Promise<void> {
    this.#closing ??= this.#endWorker().then(() => this.#replacement?.close());
    return this.#closing;
  }

  beginExit(): void {
    if (this.#isGone || this.#isEnding) return;
    this.#request({ name: 'lift' });
    this.#writeControl(`${END_LINE}${Math.round(exitingForMs())}`);
    this.#isEnding = true;
    this.#writer.send();
  }

  atExit(): void {
    if (this.#isGone) return;
    this.beginExit();
    if (!this.#hasClosed) {
      if (!this.#progress.waitFor('started', 0, processExit.timeLeft(START_TIMEOUT_MS)))
        this.#failure = 'it did not start';
      else if (!this.#progress.hasEnded) this.#endThread();
    }
    this.#gone(); // Its event needs a turn of the event loop.
  }

  #listen(): void {
    const thread = this.#thread;
    // A worker that is starting keeps the process alive.
    thread.on('ready', () => thread.unref());
    const onFailure = (error: unknown): void => {
      this.#failure = safeText(error);
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
      // The worker has nothing left to do, so this blocks only for a moment.
      this.#thread.end();
      return;
    }
    if (message.name === 'flushed') {
      this.#flushes.get(message.id)?.(message.isFlushed);
      this.#flushes.delete(message.id);
      return;
    }
    if (message.name === 'stats') this.#stats = message.value;
    this.#emitter.emit(message);
  }

  async #flushWorker(): Promise<boolean> {
    const id = ++this.#lastFlush;
    const flushed = new Promise<boolean>((resolve) => this.#flushes.set(id, resolve));
    await this.#writer.received();
    if (!this.#isGone) this.#request({ name: 'flush', id });
    return flushed;
  }

  #request(request: WorkerRequest): void {
    this.#port.postMessage(request);
  }

  /** Blocks until the worker has delivered what it can. */
  #endThread(): void {
    try {
      // After SIGINT, the worker must not use the rest of its own time limit.
      if (processExit.timeLeft(READ_TIMEOUT_MS) <= 0) this.#request({ name: 'abandon' });
      if (!this.#writer.sendSync(processExit.timeLeft(READ_TIMEOUT_MS)))
        throw new Error('it stopped accepting records');
      this.#thread.flushSync();
      this.#thread.end();
      this.#hasClosed = !this.#thread.destroyed;
      if (!this.#hasClosed) this.#failure = 'it did not stop in time';
    } catch (error) {
      this.#failure = safeText(error);
    }
  }

  #gone(): void {
    if (this.#isGone) return;
    const next = (): { message: WorkerMessage } | undefined => receiveMessageOnPort(this.#port);
    for (let each = next(); each !== undefined; each = next()) this.#receive(each.message);
    this.#isGone = true;
    processExit.unwatch(this);
    this.#unwatchSignals();
    this.#port.close();
    const lines = this.#writer.drain().replace(END_TEXT, '');
    // First, so that records logged by a hook come after these, and regardless of the limit: they are in memory anyway.
    if (lines !== '') this.#replace().pipeline.backpressure.release(() => this.#replace().write(lines));
    if (!this.#hasClosed) this.#reportCrash();
    for (const resolve of this.#flushes.values()) resolve(true);
  }

  #reportCrash(): void {
    const isSpooled = this.#options.ingester.spool !== undefined;
    // The worker may have dropped more than it has reported. The replacement adopts what it has left in the spool.
    const acceptedRecords = this.#progress.read('acceptedRecords');
    const deliveredRecords = this.#progress.read('deliveredRecords');
    const delivered = this.#stats.delivered + ((deliveredRecords - this.#stats.delivered) | 0);
    this.#stats = { ...this.#stats, delivered };
    const undelivered = Math.max(0, (acceptedRecords - settledRecords(this.#stats)) | 0);
    const lost = isSpooled ? 0 : undelivered;
    const loss = lost === 0 ? '' : ` Undelivered records were lost: at most ${lost}.`;
    const failure = this.#failure === '' ? 'unknown reason' : this.#failure;
    const message = `The worker thread ended (${failure}). Records are delivered from the main thread instead.${loss}`;
    this.#emitter.warnings.reportAlways('internal', message);
    this.#stats = withLoss(this.#stats, lost);
    if (isSpooled) this.#replace().pipeline.inherit(undelivered);
    if (lost > 0) this.#emitter.emit({ name: 'drop', value: { reason: 'closed', records: lost } });
  }

  #replace(): SameThreadLineSink {
    if (this.#replacement !== undefined) return this.#replacement;
    const emitter = {
      emit: (event: DeliveryEvent): void =>
        this.#emitter.emit(event.name === 'stats' ? { ...event, value: this.stats } : event),
    };
    this.#replacement = new SameThreadLineSink({ ...this.#options, emitter });
    if (this.#lastControl !== undefined) this.#replacement.control(this.#lastControl);
    // Drops everything that is written from now on, as logged after close.
    if (this.#closing !== undefined) void this.#replacement.pipeline.close();
    return this.#replacement;
  }

  #writeControl(line: string): void {
    if (!this.#isAtLineStart) this.write('\n');
    this.write(`${line}\n`);
  }

  async #endWorker(): Promise<void> {
    if (this.#isGone) return;
    const closed = new Promise<void>((resolve) => this.#thread.once('close', resolve));
    this.beginExit();
    await keepAlive(closed);
  }
}
