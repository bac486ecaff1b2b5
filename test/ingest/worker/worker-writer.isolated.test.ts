import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WorkerProgress } from '../../../src/ingest/worker/worker-progress.ts';
import { SHARED_BYTES, type WorkerThread } from '../../../src/ingest/worker/worker-thread.ts';
import { WorkerWriter } from '../../../src/ingest/worker/worker-writer.ts';
import { cases } from '../../helpers/laws.ts';

/** The timers of the test. */
vi.mock('../../../src/core/real-timers.ts', () => ({
  startRealTimer: (callback: () => void, delayMs: number) => setTimeout(callback, delayMs),
  stopRealTimer: (timer: NodeJS.Timeout) => clearTimeout(timer),
  startRealImmediate: (callback: () => void) => setImmediate(callback),
}));

const LINE = `${'x'.repeat(999)}\n`;

/** The size of the first lines of an ASCII text. */
function sizeOfLines(text: string, lines: number): number {
  let end = 0;
  for (let n = 0; n < lines; n++) end = text.indexOf('\n', end) + 1;
  return end;
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}

/** The worker's side of the shared memory, which accepts lines when the test calls it. */
class FakeWorker {
  readonly progress = new WorkerProgress();
  /** All text that was sent to it. */
  text = '';
  farAhead = 0;
  isReading = true;
  #takenBytes = 0;
  /** Number of bytes written to the shared memory. */
  #shared = 0;
  readonly thread = { destroyed: false, write: (bytes: Buffer) => this.#receive(bytes) };
  readonly feed = new WorkerWriter({
    thread: this.thread as unknown as WorkerThread,
    progress: this.progress,
    onFarAhead: () => {
      this.farAhead++;
    },
  });

  /** Accepts this many lines. */
  take(lines: number): void {
    const taken = Math.min(lines, this.untaken);
    const rest = this.text.slice(this.#takenBytes);
    const bytes = sizeOfLines(rest, taken);
    this.#takenBytes += bytes;
    this.progress.add({ acceptedRecords: taken, acceptedBytes: bytes, steps: 1 });
  }

  get untaken(): number {
    return countLines(this.text.slice(this.#takenBytes));
  }

  #receive(bytes: Buffer): boolean {
    if (this.#shared === SHARED_BYTES) {
      // thread-stream would block here until the worker has read everything.
      expect(this.untaken).toBe(0);
      this.#shared = 0;
    }
    this.#shared += bytes.length;
    expect(this.#shared).toBeLessThanOrEqual(SHARED_BYTES);
    this.text += bytes.toString('latin1');
    if (this.isReading) this.progress.add({ receivedBytes: bytes.length, steps: 1 });
    return true;
  }
}

describe('WorkerWriter', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('sends every line once and in order, without blocking', async () => {
    const text = fc.oneof(
      fc.stringMatching(/^[ab\n]{0,6}$/),
      fc.integer({ min: 1, max: 400 }).map((lines) => LINE.repeat(lines)),
      fc.integer({ min: 1, max: 3_000 }).map((kilobytes) => `${'y'.repeat(kilobytes * 1_000)}\n`),
    );
    const step = fc.record({ text, take: fc.nat({ max: 3_000 }), pauseMs: fc.constantFrom(0, 1, 10) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const worker = new FakeWorker();
        let written = '';
        for (const { text: piece, take, pauseMs } of steps) {
          worker.feed.write(piece);
          written += piece;
          worker.take(take);
          await vi.advanceTimersByTimeAsync(pauseMs);
          expect(written.startsWith(worker.text)).toBe(true);
        }
        const sent = worker.feed.received();
        for (let turn = 0; worker.text.length < written.length; turn++) {
          expect(turn).toBeLessThan(100);
          worker.take(Number.POSITIVE_INFINITY);
          await vi.advanceTimersByTimeAsync(10);
        }
        await sent;
        expect(worker.text === written).toBe(true);
      }),
      cases(7),
    );
  });

  it('drain() returns the lines that the worker has not accepted, sent or not', () => {
    const worker = new FakeWorker();
    const lines = Array.from({ length: 3_000 }, (_, n) => `${n} ${LINE}`);
    for (const line of lines) worker.feed.write(line);
    vi.advanceTimersByTime(10);
    expect(worker.untaken).toBeLessThan(2_000);
    worker.take(700);
    expect(worker.feed.drain() === lines.slice(700).join('')).toBe(true);
  });

  it('does not block while the worker has not read the first part of a long line', async () => {
    const worker = new FakeWorker();
    worker.isReading = false;
    worker.feed.write(`${'x'.repeat(3 * SHARED_BYTES)}\n`);
    await vi.advanceTimersByTimeAsync(100);
    expect(worker.text.length).toBe(SHARED_BYTES);
    worker.progress.add({ receivedBytes: SHARED_BYTES, steps: 1 });
    await vi.advanceTimersByTimeAsync(10);
    expect(worker.text.length).toBe(2 * SHARED_BYTES);
  });

  it('received() waits for lines written before the call, not after it', async () => {
    const worker = new FakeWorker();
    worker.feed.write(LINE.repeat(1_000));
    let hasArrived = false;
    void worker.feed.received().then(() => {
      hasArrived = true;
    });
    worker.feed.write(LINE.repeat(4_000));
    await vi.advanceTimersByTimeAsync(10);
    expect(hasArrived).toBe(true);
    expect(countLines(worker.text)).toBeLessThan(1_100);
  });

  it('reports once when the program is far ahead of a stuck worker', () => {
    const worker = new FakeWorker();
    const megabyte = LINE.repeat(1_000);
    for (let n = 0; n < 16; n++) worker.feed.write(megabyte);
    expect(worker.farAhead).toBe(0);
    for (let n = 0; n < 40; n++) worker.feed.write(megabyte);
    expect(worker.farAhead).toBe(1);
  });

  it('does not report a worker that makes progress while the program is far ahead', () => {
    const worker = new FakeWorker();
    const megabyte = LINE.repeat(1_000);
    for (let n = 0; n < 40; n++) {
      worker.feed.write(megabyte);
      worker.take(n > 16 ? 1_000 : 0);
    }
    expect(worker.farAhead).toBe(0);
  });
});
