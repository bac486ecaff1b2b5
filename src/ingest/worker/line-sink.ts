import { type LineMapperFactory, LineStream } from '../line-stream.ts';
import type { ResolvedIngesterOptions } from '../options.ts';
import type { IngestRecord } from '../record/record.ts';
import type { DeliveryEmitter } from '../report/delivery-emitter.ts';
import type { IngesterStats } from '../report/ingester-stats.ts';

/** What a `LineDelivery` writes to: a {@link LineStream} in this thread, or in a worker, to which lines are sent. */
export interface LineSink {
  /** Accepts text whose lines end with LF. Never throws, never waits. */
  write(text: string): void;
  /** Adds a record. Only without a worker, where it saves writing and reading a line. */
  add?(record: IngestRecord, nowMs: number): void;
  /** Writes a line without a record, for the mapper. */
  control(line: string): void;
  /** See `Ingester.flush`. */
  flush(): Promise<boolean>;
  /** Delivers the rest, within `closeTimeoutMs`. Never rejects; can be called again. */
  close(): Promise<void>;
  readonly stats: IngesterStats;
}

export interface LineSinkOptions {
  /** Of the delivery in this thread. */
  readonly ingester: ResolvedIngesterOptions;
  /** Converts lines to records. */
  readonly mapperFor: LineMapperFactory;
  readonly emitter: Pick<DeliveryEmitter, 'emit'>;
}

/** The {@link LineStream} of this thread. */
export class SameThreadLineSink extends LineStream implements LineSink {
  constructor({ ingester, mapperFor, emitter }: LineSinkOptions) {
    super(ingester, mapperFor, { onEvent: (event) => emitter.emit(event) });
  }

  control(line: string): void {
    this.write(`${line}\n`);
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.closed) resolve();
      else this.once('close', resolve).end();
    });
  }
}
