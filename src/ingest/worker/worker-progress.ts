/** Places in the shared memory. */
const CELLS = {
  started: 0,
  ended: 1,
  /** Number of bytes that the worker has received. Excludes up to three bytes of a split character. */
  receivedBytes: 2,
  /** Number of bytes in the lines that the worker has accepted. */
  acceptedBytes: 3,
  acceptedRecords: 4,
  deliveredRecords: 5,
  /** Counts the changes of the other numbers. */
  steps: 6,
};
const SIZE = Object.keys(CELLS).length * Int32Array.BYTES_PER_ELEMENT;

/** Progress of a worker, readable while the event loop is blocked. Counts overflow at 32 bits: use differences. */
export class WorkerProgress {
  readonly shared: Int32Array<SharedArrayBuffer>;

  constructor(shared = new Int32Array(new SharedArrayBuffer(SIZE))) {
    this.shared = shared;
  }

  read(cell: keyof typeof CELLS): number {
    return Atomics.load(this.shared, CELLS[cell]);
  }

  /** True if the worker is exiting. Not set if it is killed. */
  get hasEnded(): boolean {
    return this.read('ended') === 1;
  }

  markStarted(): void {
    Atomics.store(this.shared, CELLS.started, 1);
    Atomics.notify(this.shared, CELLS.started);
  }

  markEnded(): void {
    Atomics.store(this.shared, CELLS.ended, 1);
  }

  addAccepted(bytes: number, records: number): void {
    Atomics.add(this.shared, CELLS.acceptedRecords, records);
    Atomics.add(this.shared, CELLS.acceptedBytes, bytes);
    this.#step();
  }

  addDelivered(records: number): void {
    Atomics.add(this.shared, CELLS.deliveredRecords, records);
  }

  addReceived(bytes: number): void {
    Atomics.add(this.shared, CELLS.receivedBytes, bytes);
    this.#step();
  }

  /** Blocks this thread until the number of steps differs from `before`. @returns false after the timeout. */
  waitForStep(before: number, timeoutMs: number): boolean {
    return Atomics.wait(this.shared, CELLS.steps, before, timeoutMs) !== 'timed-out';
  }

  /** Blocks this thread until the worker has started. @returns false after the timeout. */
  waitForStart(timeoutMs: number): boolean {
    return Atomics.wait(this.shared, CELLS.started, 0, timeoutMs) !== 'timed-out';
  }

  #step(): void {
    Atomics.add(this.shared, CELLS.steps, 1);
    Atomics.notify(this.shared, CELLS.steps);
  }
}
