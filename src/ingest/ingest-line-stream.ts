import { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Ingester } from './ingester.ts';
import { Patience, type PatienceOptions } from './patience.ts';
import { type ByteLine, LineBytes } from './record/line-bytes.ts';
import type { IngestRecord } from './record/record.ts';

/** @returns a record that holds until the next call, or `undefined` for a line that holds none. */
export type LineMapper = (line: ByteLine, nowMs: number) => IngestRecord | undefined;

export interface IngestLineStreamOptions {
  /**
   * Applies backpressure to the writer while the service accepts less than is written, within these limits. For worker
   * threads: the writing thread continues, and buffers in its own memory.
   *
   * @default no backpressure
   */
  readonly holdsBack?: PatienceOptions;
}

/** A writer that is held back may write so much more: all that the memory holds which pino shares with its worker. */
const HELD_BACK_LENGTH = 4 * 1024 * 1024 + 1;

/** A writer that was held back has caught up when so little waits to be taken. */
const CAUGHT_UP_LENGTH = 32 * 1024;

/**
 * Writable stream of lines that feeds an ingester and closes it on `end()`. Emits `finish` and `close` when all records
 * are delivered or dropped. Never emits `error` for delivery failures.
 */
export class IngestLineStream extends Writable {
  readonly #ingester: Ingester;
  readonly #recordOf: LineMapper;
  readonly #decoder = new StringDecoder();
  readonly #lines = new LineBytes();
  /** Of a writer who can be held back. */
  readonly #patience: Patience | undefined;
  /** The end of the `write` that brought a line which has to wait. */
  #held: (() => void) | undefined;
  #isTaking = false;

  constructor(ingester: Ingester, recordOf: LineMapper, { holdsBack }: IngestLineStreamOptions = {}) {
    super({ decodeStrings: false, ...highWaterMarkOf(ingester, holdsBack !== undefined) });
    this.#ingester = ingester;
    this.#recordOf = recordOf;
    this.#patience = holdsBack && new Patience(holdsBack);
  }

  /**
   * Calls back, without an error, when all lines written before are delivered or dropped, or after `closeTimeoutMs`
   * without progress. The lines are then kept and sent when the service is back.
   */
  flush(callback?: () => void): void {
    void this.#flush().then(() => callback?.());
  }

  /**
   * For a writer that can't wait: accepts the lines held back, and applies no backpressure until the writer has caught
   * up.
   */
  hurry(): void {
    this.#patience?.exhaust();
    if (this.#held !== undefined) this.#release(this.#held);
  }

  /** For a writer that is about to end: accepts the lines held back and all later ones, which are already in memory. */
  hurryForGood(): void {
    this.#ingester.refuseNothing();
    this.hurry();
  }

  override end(...rest: unknown[]): this {
    super.end(...(rest as []));
    // What waits for room must not hold up the end, for in an outage there may never be any.
    this.#ingester.lastCall();
    return this;
  }

  override destroy(error?: Error): this {
    this.#ingester.lastCall();
    return super.destroy(error);
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, callback: () => void): void {
    this.#patience?.nextWrite(this.writableLength - chunk.length < CAUGHT_UP_LENGTH);
    this.#lines.push(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk));
    this.#takeOrHold(callback);
  }

  override _final(callback: () => void): void {
    this.#lines.push(this.#decoder.end());
    this.#lines.finish();
    this.#takeOrHold(() => void this.#ingester.close().then(callback));
    this.#ingester.lastCall();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    void this.#ingester.close().then(() => callback(error));
  }

  /** Writes text that is already in memory, ignoring the queue limit. */
  takeBack(text: string): void {
    this.#ingester.withoutBound(() => void this.write(text));
  }

  /** Called with the number of accepted lines. */
  protected tookOver(_lines: number): void {}

  async #flush(): Promise<void> {
    const allTaken = this.#allTaken();
    // Lines are held back as long as the service takes some, while those that find no room may wait for ever.
    if (this.#patience !== undefined) await allTaken;
    await this.#ingester.flushUnlessStalled(allTaken);
  }

  /** Comes behind all lines that wait to be taken. @returns `undefined` when none does */
  #allTaken(): Promise<void> | undefined {
    if (this.writableLength === 0 || !this.writable) return undefined;
    return new Promise((resolve) => this.write('', () => resolve()));
  }

  /** @returns false when the present line has to wait, or found no room. */
  #take(): boolean {
    let taken = 0;
    this.#isTaking = true;
    this.#ingester.together(() => {
      taken = this.#takeLines();
    });
    this.#isTaking = false;
    if (taken > 0) this.tookOver(taken);
    return !this.#lines.hasLine();
  }

  /** @returns how many lines there was room for. */
  #takeLines(): number {
    const now = Date.now();
    const canRefuse = this.#ingester.overflow === 'block';
    const lines = this.#lines;
    let taken = 0;
    for (; lines.hasLine() && !this.#holdsBack(); lines.drop()) {
      const record = lines.start < lines.end ? this.#recordOf(lines, now) : undefined;
      if (record !== undefined && !this.#ingester.addRecord(record, now) && canRefuse) break;
      taken++;
    }
    return taken;
  }

  #holdsBack(): boolean {
    return this.#patience !== undefined && this.#patience.leftMs > 0 && this.#ingester.isCongested;
  }

  #takeOrHold(done: () => void): void {
    if (this.#take()) {
      done();
      return;
    }
    this.#held = done;
    this.#ingester.onLastCall = () => this.#release(done);
    void this.#releaseWhenDrained(done);
  }

  async #releaseWhenDrained(held: () => void): Promise<void> {
    while (this.#held === held) {
      await this.#drained();
      if (this.#held === held) this.#release(held);
    }
  }

  async #drained(): Promise<void> {
    const patience = this.#patience;
    if (patience === undefined || patience.leftMs === 0) return this.#ingester.drained();
    const since = performance.now();
    await this.#ingester.holdBack(patience.leftMs);
    patience.spend(performance.now() - since);
  }

  /** Takes what there is room for. After the last of it the next `write` has its turn, before this returns. */
  #release(held: () => void): void {
    if (this.#isTaking) {
      // In the middle of a line: it is one that ends the delivery, or a hook that hears of a drop has ended the logger.
      this.#ingester.onLastCall = () => this.#release(held);
      queueMicrotask(() => this.#ingester.lastCall());
      return;
    }
    if (!this.#take()) return;
    this.#held = undefined;
    this.#ingester.onLastCall = undefined;
    held();
  }
}

/** Lines are taken over as they come. Where nobody is made to wait, there is nothing for the stream to hold back. */
function highWaterMarkOf({ overflow }: Ingester, holdsBack: boolean): { highWaterMark?: number } {
  if (overflow === 'block') return {};
  return { highWaterMark: holdsBack ? HELD_BACK_LENGTH : Number.MAX_SAFE_INTEGER };
}
