const STARTED = 0;
const ENDED = 1;
const RECEIVED_BYTES = 2;
const ACCEPTED_BYTES = 3;
const ACCEPTED_RECORDS = 4;
/** Counts the changes of the other numbers. */
const STEPS = 5;
const DELIVERED_RECORDS = 6;
const CELLS = 7;

/** Progress of a worker, readable while the event loop is blocked. Counts overflow at 32 bits: use differences. */
export class WorkerProgress {
  readonly shared: Int32Array<SharedArrayBuffer>;

  constructor(shared = new Int32Array(new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT))) {
    this.shared = shared;
  }

  /** True if the worker is exiting. Not set if it is killed. */
  get hasEnded(): boolean {
    return Atomics.load(this.shared, ENDED) === 1;
  }

  markStarted(): void {
    Atomics.store(this.shared, STARTED, 1);
    Atomics.notify(this.shared, STARTED);
  }

  markEnded(): void {
    Atomics.store(this.shared, ENDED, 1);
  }

  /** Number of bytes that the worker has received. Excludes up to three bytes of a split character. */
  get receivedBytes(): number {
    return Atomics.load(this.shared, RECEIVED_BYTES);
  }

  /** Number of bytes in the lines that the worker has accepted. */
  get acceptedBytes(): number {
    return Atomics.load(this.shared, ACCEPTED_BYTES);
  }

  get acceptedRecords(): number {
    return Atomics.load(this.shared, ACCEPTED_RECORDS);
  }

  get deliveredRecords(): number {
    return Atomics.load(this.shared, DELIVERED_RECORDS);
  }

  get steps(): number {
    return Atomics.load(this.shared, STEPS);
  }

  addAccepted(bytes: number, records: number): void {
    Atomics.add(this.shared, ACCEPTED_RECORDS, records);
    Atomics.add(this.shared, ACCEPTED_BYTES, bytes);
    this.#step();
  }

  addDelivered(records: number): void {
    Atomics.add(this.shared, DELIVERED_RECORDS, records);
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
