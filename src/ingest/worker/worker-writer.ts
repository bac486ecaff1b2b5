import { startRealImmediate, startRealTimer, stopRealTimer } from '../../core/real-timers.ts';
import { hasJustEmptied } from '../process/process-exit.ts';
import { OutgoingLines } from './outgoing-lines.ts';
import type { WorkerProgress } from './worker-progress.ts';
import { SHARED_BYTES, type WorkerThread } from './worker-thread.ts';

/** Lines are sent once per turn of the event loop, or when this many bytes have accumulated. */
const MAX_UNSENT_BYTES = 64 * 1024;

/** If more bytes are waiting, the program blocks while the worker makes progress. */
const MAX_AHEAD_BYTES = 16 * 1024 * 1024;

/** Maximum duration of one such block. */
const MAX_WAIT_MS = 25;

/** Without progress for this long, the worker applies backpressure for a slow service, or has not started. */
const STUCK_AFTER_MS = 500;

/** Interval of the checks for the worker's progress. */
const CHECK_INTERVAL_MS = 5;

/** thread-stream keeps the bytes of a split character. */
const MAX_SPLIT_BYTES = 3;

export interface WorkerWriterOptions {
  readonly thread: WorkerThread;
  readonly progress: WorkerProgress;
  /** Called when the program is far ahead of a worker that makes no progress. */
  readonly onFarAhead: () => void;
}

/** Sends lines as fast as the worker reads them. Unlike thread-stream, it doesn't block the main thread. */
export class WorkerWriter {
  readonly #options: WorkerWriterOptions;
  readonly #lines = new OutgoingLines();
  /** Number of bytes written to the shared memory. When it is full and read, it is reused from the start. */
  #sharedBytes = 0;
  #isSending = false;
  #checkTimer: NodeJS.Timeout | undefined;
  /** Number of accepted bytes at the last block, and how long the program has been blocked without progress since. */
  #stuckAt: number | undefined;
  #stuckMs = 0;
  /** Callers of {@link received}, in order, and the number of bytes they wait for. */
  #waiters: { readonly bytes: number; readonly resolve: () => void }[] = [];

  constructor(options: WorkerWriterOptions) {
    this.#options = options;
  }

  write(text: string): void {
    const { progress } = this.#options;
    this.#lines.push(text, progress.read('acceptedBytes'));
    if (this.#lines.unsentBytes > MAX_UNSENT_BYTES) this.send();
    else this.#sendSoon();
    if (this.#lines.keptBytes > MAX_AHEAD_BYTES) this.#waitForWorker();
  }

  /** Sends as much as fits into the shared memory. */
  send(): void {
    const { thread } = this.#options;
    for (let room = this.#room(); room > 0 && !thread.destroyed; room = this.#room()) {
      const bytes = this.#lines.send(room);
      if (bytes === undefined) return;
      this.#sharedBytes = (this.#sharedBytes % SHARED_BYTES) + bytes.length;
      thread.write(bytes);
    }
    this.#checkLater();
  }

  /** Resolves when the worker has received everything written before, or after {@link drain}. */
  received(): Promise<void> {
    this.send();
    const bytes = this.#lines.pushedBytes;
    if (this.#hasReceived(bytes)) return Promise.resolve();
    this.#checkLater();
    return new Promise((resolve) => this.#waiters.push({ bytes, resolve }));
  }

  /** Blocks until the worker has received everything. @returns false without progress for `timeoutMs`. */
  sendSync(timeoutMs: number): boolean {
    const { progress, thread } = this.#options;
    for (;;) {
      const steps = progress.read('steps');
      this.send();
      if (this.#lines.unsentBytes === 0 && this.#hasReceived(this.#lines.sentBytes)) return true;
      if (thread.destroyed || !progress.waitFor('steps', steps, timeoutMs)) return false;
    }
  }

  /** Stops sending. @returns the lines that the worker has not accepted. */
  drain(): string {
    stopRealTimer(this.#checkTimer);
    const left = this.#lines.drain(this.#options.progress.read('acceptedBytes'));
    for (const { resolve } of this.#waiters.splice(0)) resolve();
    return left;
  }

  #sendSoon(): void {
    if (this.#isSending) return;
    this.#isSending = true;
    const send = (): void => {
      this.#isSending = false;
      this.send();
    };
    if (hasJustEmptied()) startRealTimer(send, 0).unref();
    else startRealImmediate(send);
  }

  #checkLater(): void {
    if (this.#options.thread.destroyed) return;
    this.#checkTimer ??= startRealTimer(() => {
      this.#checkTimer = undefined;
      this.send();
      while (this.#waiters[0] !== undefined && this.#hasReceived(this.#waiters[0].bytes)) {
        this.#waiters.shift()?.resolve();
      }
      if (this.#waiters.length > 0) this.#checkLater();
    }, CHECK_INTERVAL_MS).unref();
  }

  /** True if the worker has received this many bytes in total. It counts in 32 bits. */
  #hasReceived(bytes: number): boolean {
    return ((bytes - this.#options.progress.read('receivedBytes')) | 0) <= MAX_SPLIT_BYTES;
  }

  #room(): number {
    if (this.#sharedBytes < SHARED_BYTES) return SHARED_BYTES - this.#sharedBytes;
    const isAccepted = this.#lines.isAccepted(this.#options.progress.read('acceptedBytes'));
    return isAccepted && this.#hasReceived(this.#lines.sentBytes) ? SHARED_BYTES : 0;
  }

  /** Blocks while the worker makes progress, which limits the memory for lines that it has not accepted. */
  #waitForWorker(): void {
    const { progress, onFarAhead } = this.#options;
    // A stuck worker must not block the program again and again.
    if (progress.read('acceptedBytes') !== this.#stuckAt) this.#stuckMs = 0;
    else if (this.#stuckMs >= STUCK_AFTER_MS) return;
    this.#stuckAt = progress.read('acceptedBytes');
    const steps = progress.read('steps');
    this.send();
    if (progress.waitFor('steps', steps, MAX_WAIT_MS)) return;
    this.#stuckMs += MAX_WAIT_MS;
    if (this.#stuckMs === STUCK_AFTER_MS) onFarAhead();
  }
}
