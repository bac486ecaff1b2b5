import { type LineMapperFactory, LineStream } from '../line-stream.ts';
import type { ResolvedIngesterOptions } from '../options.ts';
import type { IngestRecord } from '../record/record.ts';
import type { DeliveryEmitter } from '../report/delivery-emitter.ts';
import type { IngesterStats } from '../report/ingester-stats.ts';

/** Delivers lines, in this thread or from a worker. */
export interface LineSink {
  /** Accepts text whose lines end with LF. Never throws, never waits. */
  write(text: string): void;
  /** Adds a record. Only in-process, where it saves writing and reading a line. */
  add?(record: IngestRecord, nowMs: number): void;
  /** Writes a line without a record, for the mapper. */
  control(line: string): void;
  /** Resolves when all records written before are delivered or dropped, or without progress. Never rejects. */
  flush(): Promise<void>;
  /** Delivers the rest, within `closeTimeoutMs`. Never rejects; can be called again. */
  close(): Promise<void>;
  /** Counters of accepted, delivered, dropped and waiting records. */
  readonly stats: IngesterStats;
}

export interface LineSinkOptions {
  /** Of the delivery in this thread. */
  readonly ingester: ResolvedIngesterOptions;
  readonly mapperFor: LineMapperFactory;
  readonly emitter: DeliveryEmitter;
}

/** Delivers from this thread. */
export class InProcessLineSink implements LineSink {
  readonly #stream: LineStream;

  constructor({ ingester, mapperFor, emitter }: LineSinkOptions) {
    this.#stream = new LineStream(ingester, mapperFor, { onEvent: (event) => emitter.emit(event) });
  }

  get stats(): IngesterStats {
    return this.#stream.stats;
  }

  write(text: string): void {
    this.#stream.write(text);
  }

  add(record: IngestRecord, nowMs: number): void {
    this.#stream.add(record, nowMs);
  }

  control(line: string): void {
    this.#stream.write(`${line}\n`);
  }

  flush(): Promise<void> {
    return new Promise((resolve) => this.#stream.flush(resolve));
  }

  /** Writes lines that a crashed worker has not accepted, ignoring the queue limit. */
  writeUnlimited(text: string): void {
    this.#stream.writeUnlimited(text);
  }

  /** Drops everything that is written from now on, as logged after close. */
  closeDelivery(): void {
    void this.#stream.closeDelivery();
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stream.closed) resolve();
      else this.#stream.once('close', resolve).end();
    });
  }
}
