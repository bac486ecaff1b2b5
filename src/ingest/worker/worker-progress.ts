/** What both threads see at once, also when one of them does not turn its event loop: shared memory. */
const STARTED = 0;
const TAKEN_LINES = 1;
const ENDED = 2;

export class WorkerProgress {
  /** To be handed to the other thread. */
  readonly shared: Int32Array<SharedArrayBuffer>;

  constructor(shared = new Int32Array(new SharedArrayBuffer(12))) {
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

  addTaken(lines: number): void {
    Atomics.add(this.shared, TAKEN_LINES, lines);
    Atomics.notify(this.shared, TAKEN_LINES);
  }

  /** Blocks this thread until the worker has taken over more lines. @returns whether it has by then. */
  waitForTaken(before: number, timeoutMs: number): boolean {
    return Atomics.wait(this.shared, TAKEN_LINES, before, timeoutMs) !== 'timed-out';
  }

  /** Blocks this thread. @returns whether the worker has started by then. */
  waitForStart(timeoutMs: number): boolean {
    return Atomics.wait(this.shared, STARTED, 0, timeoutMs) !== 'timed-out';
  }
}

/** How many lines end in a text. */
export function countLines(text: string): number {
  let lines = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) lines++;
  return lines;
}
