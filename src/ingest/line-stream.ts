import { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { ResolvedIngesterOptions } from './options.ts';
import { IngestPipeline, type PipelineOptions } from './pipeline.ts';
import { type ByteLine, byteLine, LineBytes } from './record/line-bytes.ts';
import type { IngestRecord } from './record/record.ts';
import type { TagWriter } from './record/tags.ts';
import type { IngesterStats } from './report/ingester-stats.ts';

/** @returns a record that is valid until the next call, or `undefined` for a line without a record. */
export type LineMapper = (line: ByteLine, nowMs: number) => IngestRecord | undefined;

/** Creates a function that converts lines to records, in any thread. */
export type LineMapperFactory = (tags: TagWriter) => LineMapper;

export type LineStreamOptions = Pick<PipelineOptions, 'onEvent' | 'onDelivered' | 'backpressure'>;

/** Memory for a writer under backpressure: more than pino shares with its worker. */
const BACKPRESSURE_BYTES = 4 * 1024 * 1024 + 1;

/** A writer has caught up when fewer bytes are waiting. */
const CAUGHT_UP_BYTES = 32 * 1024;

/**
 * Writable stream that delivers lines as records, with a pipeline in its own thread. Closes its pipeline on `end()`, and emits `finish` and `close`
 * when all records are delivered or dropped. Never emits `error` for delivery failures.
 */
export class LineStream extends Writable {
  readonly pipeline: IngestPipeline;
  readonly #canReject: boolean;
  readonly #recordOf: LineMapper;
  readonly #decoder = new StringDecoder();
  readonly #lines = new LineBytes();
  /** True if lines wait for a limited time. Lines that do not fit may wait as long as an outage. */
  readonly #waitsBriefly: boolean;

  constructor(options: ResolvedIngesterOptions, mapperFor: LineMapperFactory, reports: LineStreamOptions) {
    const hasBackpressure = reports.backpressure !== undefined;
    // Lines are added as they arrive, so the stream itself buffers nothing unless the writer can be made to wait.
    const bufferBytes = hasBackpressure ? BACKPRESSURE_BYTES : Number.MAX_SAFE_INTEGER;
    const highWaterMark = options.overflow === 'block' ? undefined : bufferBytes;
    super({ decodeStrings: false, highWaterMark });
    this.pipeline = new IngestPipeline(options, reports);
    this.#canReject = options.overflow === 'block';
    this.#recordOf = mapperFor(this.pipeline.tags);
    this.#waitsBriefly = hasBackpressure;
  }

  /** Counters of accepted, delivered, dropped and waiting records. */
  get stats(): IngesterStats {
    return this.pipeline.stats;
  }

  /** See `Ingester.flush`. Also calls back, without an error. Doesn't keep the process alive. */
  async flush(callback?: () => void): Promise<boolean> {
    const allAdded = this.#allAdded();
    if (this.#waitsBriefly) await allAdded;
    const isFlushed = await this.pipeline.flush(allAdded);
    callback?.();
    return isFlushed;
  }

  /** Adds a record that was never a line. */
  add(record: IngestRecord, nowMs: number): void {
    this.pipeline.add(record, nowMs);
  }

  override write(chunk: string | Buffer, ...rest: unknown[]): boolean {
    if (this.writable) return super.write(chunk, ...(rest as [BufferEncoding]));
    // A closed stream would emit an error, which ends the program. Here, late records are dropped and counted.
    for (const line of String(chunk).split('\n')) {
      const record = line === '' ? undefined : this.#recordOf(byteLine(line), Date.now());
      if (record !== undefined) this.pipeline.add(record);
    }
    return true;
  }

  override end(...rest: unknown[]): this {
    super.end(...(rest as []));
    // In an outage, waiting lines would delay the end.
    this.pipeline.releaseHeld();
    return this;
  }

  override destroy(error?: Error): this {
    this.pipeline.releaseHeld();
    return super.destroy(error);
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, callback: () => void): void {
    this.#lines.push(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk));
    const hasCaughtUp = this.writableLength - chunk.length < CAUGHT_UP_BYTES;
    this.pipeline.backpressure.write({ add: this.#add, onAdded: callback }, hasCaughtUp);
  }

  override _final(callback: () => void): void {
    this.#lines.push(this.#decoder.end());
    this.#lines.finish();
    const onAdded = (): void => void this.pipeline.close().then(callback);
    this.pipeline.backpressure.write({ add: this.#add, onAdded }, false);
    this.pipeline.releaseHeld();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    void this.pipeline.close().then(() => callback(error));
  }

  /** Called with the size of the accepted lines, including their ends, and the number of records in them. */
  protected accepted(_bytes: number, _records: number): void {}

  /** Resolves when all waiting lines are added. @returns `undefined` if there are none. */
  #allAdded(): Promise<void> | undefined {
    if (this.writableLength === 0 || !this.writable) return undefined;
    return new Promise((resolve) => this.write('', () => resolve()));
  }

  /** @returns false if a line has to wait. */
  readonly #add = (): boolean => {
    const { bytes, records } = this.pipeline.batchWrites(() => this.#addLines());
    if (bytes > 0) this.accepted(bytes, records);
    return !this.#lines.hasLine();
  };

  /** @returns the size of the lines that were accepted, and the number of records in them. */
  #addLines(): { bytes: number; records: number } {
    const now = Date.now();
    const lines = this.#lines;
    const { backpressure } = this.pipeline;
    let bytes = 0;
    let records = 0;
    while (lines.hasLine() && !backpressure.shouldWait) {
      const record = lines.start < lines.end ? this.#recordOf(lines, now) : undefined;
      if (record !== undefined) {
        if (!this.pipeline.add(record, now) && this.#canReject) break;
        records++;
      }
      bytes += lines.drop();
    }
    return { bytes, records };
  }
}
