import { systemClock } from '../../internal/clock.ts';
import { IngestLineStream, type IngestLineStreamOptions, type LineMapper } from '../ingest-line-stream.ts';
import { Ingester } from '../ingester.ts';
import type { IngesterOptions } from '../ingester-options.ts';
import type { IngesterStats } from '../ingester-stats.ts';
import { byteLine } from '../line-bytes.ts';
import type { TagWriter } from '../tags.ts';
import type { DeliveryEvent } from './delivery-event.ts';
import { DeliveryReporter } from './delivery-reporter.ts';

/** Makes what turns lines into records, in any thread. */
export type LineMapperFactory = (tags: TagWriter) => LineMapper;

/** Stream of lines with its own ingester, which reports delivery events. */
export class ReportingLineStream extends IngestLineStream {
  readonly #ingester: Ingester;
  readonly #reporter: DeliveryReporter;
  readonly #recordOf: LineMapper;

  /**
   * @param tell receives delivery events; must not throw.
   * @throws LogOptionsException
   */
  constructor(
    options: IngesterOptions,
    mapperFor: LineMapperFactory,
    tell: (event: DeliveryEvent) => void,
    streamOptions?: IngestLineStreamOptions,
  ) {
    const reporter: DeliveryReporter = new DeliveryReporter(tell, () => ingester.stats, systemClock);
    const ingester = new Ingester(options, reporter);
    const recordOf = mapperFor(ingester.tags);
    super(ingester, recordOf, streamOptions);
    this.#ingester = ingester;
    this.#reporter = reporter;
    this.#recordOf = recordOf;
  }

  /** Counters of accepted, delivered, dropped and waiting records. */
  get stats(): IngesterStats {
    return this.#ingester.stats;
  }

  /**
   * Delivers all lines written before the call, within `closeTimeoutMs`. Lines written later are dropped. Never
   * rejects.
   */
  async closeDelivery(): Promise<void> {
    await this.#ingester.close();
    this.#reporter.tellAll();
  }

  override flush(callback?: () => void): void {
    super.flush(() => {
      this.#reporter.tellAll();
      callback?.();
    });
  }

  override write(chunk: string | Buffer, ...rest: unknown[]): boolean {
    if (this.writable) return super.write(chunk, ...(rest as [BufferEncoding]));
    // A stream would emit an error, which ends the program. A logger that comes too late has lost a record, no more.
    for (const line of String(chunk).split('\n')) {
      const record = line === '' ? undefined : this.#recordOf(byteLine(line), systemClock.now());
      if (record !== undefined) this.#ingester.addRecord(record);
    }
    return true;
  }

  override _write(chunk: string | Buffer, encoding: BufferEncoding, callback: () => void): void {
    this.#reporter.added();
    super._write(chunk, encoding, callback);
  }

  override _final(callback: () => void): void {
    super._final(() => {
      this.#reporter.tellAll();
      callback();
    });
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    super._destroy(error, (passed) => {
      this.#reporter.tellAll();
      callback(passed);
    });
  }
}
