import { Writable } from 'node:stream';
import { LineSplitter } from '../internal/line-splitter.ts';
import type { Ingester } from './ingester.ts';
import type { IngestRecord } from './record.ts';

/** @returns `undefined` for a line that holds no record. */
export type LineMapper = (line: string, nowMs: number) => IngestRecord | undefined;

export interface IngestLineStreamOptions {
  /**
   * Makes the writer wait while the service takes less than is written, for as long as it takes something. For worker
   * threads, whose writer is another thread: it goes on, and what it writes meanwhile is safe. @default false
   */
  readonly holdsBack?: boolean;
}

/**
 * A stream of lines that feeds an ingester and closes it at its end. Emits `finish` and `close` when everything is
 * delivered or given up, and never `error` for a failure of delivery.
 */
export class IngestLineStream extends Writable {
  readonly #ingester: Ingester;
  readonly #recordOf: LineMapper;
  readonly #lines = new LineSplitter();
  readonly #holdsBack: boolean;

  constructor(ingester: Ingester, recordOf: LineMapper, { holdsBack = false }: IngestLineStreamOptions = {}) {
    // Lines are taken over as they come. Unless the ingester blocks, there is nothing for the stream to hold back.
    const takesAll = ingester.overflow !== 'block';
    super({ decodeStrings: false, ...(takesAll ? { highWaterMark: Number.MAX_SAFE_INTEGER } : {}) });
    this.#ingester = ingester;
    this.#recordOf = recordOf;
    this.#holdsBack = holdsBack;
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

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, callback: () => void): void {
    const lines = this.#lines.push(chunk);
    const refused = this.#take(lines, 0);
    if (refused === -1) {
      if (this.#holdsBack && this.#ingester.isCongested) void this.#ingester.holdBack().then(callback);
      else callback();
    } else void this.#takeWhenDrained(lines, refused).then(callback);
  }

  override _final(callback: () => void): void {
    const lines = this.#lines.flush();
    void this.#takeWhenDrained(lines, this.#take(lines, 0))
      .then(() => this.#ingester.close())
      .then(callback);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    void this.#ingester.close().then(() => callback(error));
  }

  /** @returns the index of the first line that found no room and must be taken again; -1 when all were taken. */
  #take(lines: readonly string[], from: number): number {
    const now = Date.now();
    const canRefuse = this.#ingester.overflow === 'block';
    for (let index = from; index < lines.length; index++) {
      const line = lines[index]!;
      if (line === '') continue;
      const record = this.#recordOf(line, now);
      if (record !== undefined && !this.#ingester.addRecord(record) && canRefuse) return index;
    }
    return -1;
  }

  async #takeWhenDrained(lines: readonly string[], from: number): Promise<void> {
    for (let index = from; index !== -1; index = this.#take(lines, index)) await this.#ingester.drained();
  }
}
