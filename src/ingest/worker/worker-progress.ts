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
  /** Counts the changes of the numbers of received and accepted bytes. */
  steps: 6,
};
type Cell = keyof typeof CELLS;

const SIZE = Object.keys(CELLS).length * Int32Array.BYTES_PER_ELEMENT;

/** Progress of a worker, readable while the event loop is blocked. Counts overflow at 32 bits: use differences. */
export class WorkerProgress {
  readonly shared: Int32Array<SharedArrayBuffer>;

  constructor(shared = new Int32Array(new SharedArrayBuffer(SIZE))) {
    this.shared = shared;
  }

  read(cell: Cell): number {
    return Atomics.load(this.shared, CELLS[cell]);
  }

  /** True if the worker is exiting. Not set if it is killed. */
  get hasEnded(): boolean {
    return this.read('ended') === 1;
  }

  /** Adds to numbers, in this order, and wakes the thread that waits for one of them. */
  add(amounts: Partial<Record<Cell, number>>): void {
    for (const [cell, amount] of Object.entries(amounts)) {
      Atomics.add(this.shared, CELLS[cell as Cell], amount);
      Atomics.notify(this.shared, CELLS[cell as Cell]);
    }
  }

  /** Blocks this thread until a number differs from `before`. @returns false after the timeout. */
  waitFor(cell: Cell, before: number, timeoutMs: number): boolean {
    return Atomics.wait(this.shared, CELLS[cell], before, timeoutMs) !== 'timed-out';
  }
}
