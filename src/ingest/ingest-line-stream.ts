import { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Ingester } from './ingester.ts';
import { type ByteLine, LineBytes } from './line-bytes.ts';
import type { IngestRecord } from './record.ts';

/** @returns a record that holds until the next call, or `undefined` for a line that holds none. */
export type LineMapper = (line: ByteLine, nowMs: number) => IngestRecord | undefined;

export interface IngestLineStreamOptions {
  /**
   * Makes the writer wait while the service takes less than is written, for as long as it takes something. For worker
   * threads, whose writer is another thread: it goes on, and what it writes meanwhile is safe. @default false
   */
  readonly holdsBack?: boolean;
}

/** A writer that is held back may write so much more: all that the memory holds which it shares with a worker. */
const HELD_BACK_LENGTH = 4 * 1024 * 1024 + 1;

/**
 * A stream of lines that feeds an ingester and closes it at its end. Emits `finish` and `close` when everything is
 * delivered or given up, and never `error` for a failure of delivery.
 */
export class IngestLineStream extends Writable {
  readonly #ingester: Ingester;
  readonly #recordOf: LineMapper;
  readonly #decoder = new StringDecoder();
  readonly #lines = new LineBytes();
  readonly #holdsBack: boolean;
  #takenLines = 0;
  /** The end of the `write` that brought a line which has to wait. */
  #held: (() => void) | undefined;

  constructor(ingester: Ingester, recordOf: LineMapper, { holdsBack = false }: IngestLineStreamOptions = {}) {
    super({ decodeStrings: false, ...highWaterMarkOf(ingester, holdsBack) });
    this.#ingester = ingester;
    this.#recordOf = recordOf;
    this.#holdsBack = holdsBack;
  }

  /** How many lines have been taken over. */
  get takenLines(): number {
    return this.#takenLines;
  }

  /**
   * Calls back, without an error, when every line that was written before is delivered or given up; in an outage when
   * nothing has been delivered for `closeTimeoutMs`. The lines are then kept and sent when the service is back.
   */
  flush(callback?: () => void): void {
    const flush = (): void => void this.#ingester.flushUnlessStalled().then(() => callback?.());
    // Comes behind all lines that still wait to be taken.
    if (this.writableLength > 0 && this.writable) this.write('', flush);
    else flush();
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

  /** @returns false when the present line has to wait, or found no room. */
  #take(): boolean {
    const now = Date.now();
    const canRefuse = this.#ingester.overflow === 'block';
    for (const lines = this.#lines; lines.hasLine(); lines.drop()) {
      if (this.#holdsBack && this.#ingester.isCongested) return false;
      const record = lines.start < lines.end ? this.#recordOf(lines, now) : undefined;
      if (record !== undefined && !this.#ingester.addRecord(record) && canRefuse) return false;
      this.#takenLines++;
    }
    return true;
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
      await (this.#holdsBack ? this.#ingester.holdBack() : this.#ingester.drained());
      if (this.#held === held) this.#release(held);
    }
  }

  /** Takes what there is room for. After the last of it the next `write` has its turn, before this returns. */
  #release(held: () => void): void {
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
