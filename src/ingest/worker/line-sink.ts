import type { IngesterOptions } from '../options.ts';
import type { DeliveryEmitter } from '../report/delivery-emitter.ts';
import type { IngesterStats } from '../report/ingester-stats.ts';
import { type LineMapperFactory, ReportingLineStream } from './reporting-line-stream.ts';

/** Where lines go to be delivered: to this thread or to a worker. */
export interface LineSink {
  /** Takes text with lines that end in LF. Never throws, never waits. */
  write(text: string): void;
  /** Takes a line that tells the mapper something, and holds no record. */
  control(line: string): void;
  /** Resolves when everything that was written before is delivered or given up, or nothing moves. Never rejects. */
  flush(): Promise<void>;
  /** Delivers what is left, within the ingester's `closeTimeoutMs`. Never rejects; can be called again. */
  close(): Promise<void>;
  /** Counters of what has become of the records. */
  readonly stats: IngesterStats;
}

/** Delivers from this thread. */
export class InProcessLineSink implements LineSink {
  readonly #stream: ReportingLineStream;

  /** @throws LogOptionsException */
  constructor(options: IngesterOptions, mapperFor: LineMapperFactory, emitter: DeliveryEmitter) {
    const { stderrSubstitute } = emitter;
    const ownOptions = stderrSubstitute === undefined ? options : { ...options, onWarning: stderrSubstitute };
    this.#stream = new ReportingLineStream(ownOptions, mapperFor, (event) => emitter.emit(event));
  }

  get stats(): IngesterStats {
    return this.#stream.stats;
  }

  write(text: string): void {
    this.#stream.write(text);
  }

  control(line: string): void {
    this.#stream.write(`${line}\n`);
  }

  flush(): Promise<void> {
    return new Promise((resolve) => this.#stream.flush(resolve));
  }

  /** Takes over what a worker has left behind. */
  takeBack(text: string): void {
    this.#stream.takeBack(text);
  }

  /** What is written from now on is dropped, and counted, as logged after the end. */
  refuseAll(): void {
    void this.#stream.closeDelivery();
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stream.closed) resolve();
      else this.#stream.once('close', resolve).end();
    });
  }
}
