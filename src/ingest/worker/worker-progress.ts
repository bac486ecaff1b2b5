const STARTED = 0;
const ACCEPTED_LINES = 1;
const ENDED = 2;
const RECEIVED_BYTES = 3;
/** Counts the changes of the other numbers. */
const STEPS = 4;
const CELLS = 5;

/** Progress of a worker in shared memory, which the main thread can also read while its event loop is blocked. */
export class WorkerProgress {
  /** Shared with the other thread. */
  readonly shared: Int32Array<SharedArrayBuffer>;

  constructor(shared = new Int32Array(new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT))) {
    this.shared = shared;
  }

  /** True if the worker is exiting. Not set if it is killed. */
  get hasEnded(): boolean {
    return Atomics.load(this.shared, ENDED) === 1;
  }

  /** Number of lines that the worker has accepted. Overflows at 32 bits, so only use differences. */
  get acceptedLines(): number {
    return Atomics.load(this.shared, ACCEPTED_LINES);
  }

  markStarted(): void {
    Atomics.store(this.shared, STARTED, 1);
    Atomics.notify(this.shared, STARTED);
  }

  markEnded(): void {
    Atomics.store(this.shared, ENDED, 1);
  }

  /** Number of bytes that the worker has received, in 32 bits. Excludes up to three bytes of a split character. */
  get receivedBytes(): number {
    return Atomics.load(this.shared, RECEIVED_BYTES);
  }

  /** Changes with each of the other numbers. */
  get steps(): number {
    return Atomics.load(this.shared, STEPS);
  }

  addAccepted(lines: number): void {
    Atomics.add(this.shared, ACCEPTED_LINES, lines);
    this.#step();
  }

  addReceived(bytes: number): void {
    Atomics.add(this.shared, RECEIVED_BYTES, bytes);
    this.#step();
  }

  /** Blocks this thread until {@link steps} differs from `before`. @returns false after the timeout. */
  waitForStep(before: number, timeoutMs: number): boolean {
    return Atomics.wait(this.shared, STEPS, before, timeoutMs) !== 'timed-out';
  }

  /** Blocks this thread until the worker has started. @returns false after the timeout. */
  waitForStart(timeoutMs: number): boolean {
    return Atomics.wait(this.shared, STARTED, 0, timeoutMs) !== 'timed-out';
  }

  #step(): void {
    Atomics.add(this.shared, STEPS, 1);
    Atomics.notify(this.shared, STEPS);
  }
}

/** Number of newlines in a string. */
export function countLines(text: string): number {
  let lines = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) lines++;
  return lines;
}
