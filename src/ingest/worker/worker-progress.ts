/** What both threads see at once, also when one of them does not turn its event loop: shared memory. */
const STARTED = 0;
const TAKEN_LINES = 1;
const ENDED = 2;
const RECEIVED_BYTES = 3;
/** Counts the changes of the numbers, for whoever waits for one. */
const STEPS = 4;
const CELLS = 5;

export class WorkerProgress {
  /** To be handed to the other thread. */
  readonly shared: Int32Array<SharedArrayBuffer>;

  constructor(shared = new Int32Array(new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT))) {
    this.shared = shared;
  }

  /** The worker is about to be gone. It says so unless it is killed. */
  get hasEnded(): boolean {
    return Atomics.load(this.shared, ENDED) === 1;
  }

  /** How many lines the worker has taken over, in 32 bits: only differences of two of these numbers mean something. */
  get takenLines(): number {
    return Atomics.load(this.shared, TAKEN_LINES);
  }

  markStarted(): void {
    Atomics.store(this.shared, STARTED, 1);
    Atomics.notify(this.shared, STARTED);
  }

  markEnded(): void {
    Atomics.store(this.shared, ENDED, 1);
  }

  /** How many bytes have reached the worker, in 32 bits, but for up to three of a character that is cut. */
  get receivedBytes(): number {
    return Atomics.load(this.shared, RECEIVED_BYTES);
  }

  /** Changes with each of the numbers above. */
  get steps(): number {
    return Atomics.load(this.shared, STEPS);
  }

  addTaken(lines: number): void {
    Atomics.add(this.shared, TAKEN_LINES, lines);
    this.#step();
  }

  addReceived(bytes: number): void {
    Atomics.add(this.shared, RECEIVED_BYTES, bytes);
    this.#step();
  }

  /** Blocks this thread until the worker has come further than at `before` {@link steps}. @returns whether it has */
  waitForStep(before: number, timeoutMs: number): boolean {
    return Atomics.wait(this.shared, STEPS, before, timeoutMs) !== 'timed-out';
  }

  /** Blocks this thread. @returns whether the worker has started by then. */
  waitForStart(timeoutMs: number): boolean {
    return Atomics.wait(this.shared, STARTED, 0, timeoutMs) !== 'timed-out';
  }

  #step(): void {
    Atomics.add(this.shared, STEPS, 1);
    Atomics.notify(this.shared, STEPS);
  }
}

/** How many lines end in a text. */
export function countLines(text: string): number {
  let lines = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) lines++;
  return lines;
}
