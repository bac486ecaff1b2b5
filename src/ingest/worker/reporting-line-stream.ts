import { systemClock } from '../../internal/clock.ts';
import { IngestLineStream, type IngestLineStreamOptions, type LineMapper } from '../ingest-line-stream.ts';
import { Ingester } from '../ingester.ts';
import type { IngesterOptions } from '../options.ts';
import { byteLine } from '../record/line-bytes.ts';
import type { TagWriter } from '../record/tags.ts';
import type { DeliveryEvent } from '../report/delivery-event.ts';
import { EventThrottle } from '../report/event-throttle.ts';
import type { IngesterStats } from '../report/ingester-stats.ts';

/** Makes what turns lines into records, in any thread. */
export type LineMapperFactory = (tags: TagWriter) => LineMapper;

/** Stream of lines with its own ingester, which reports delivery events. */
export class ReportingLineStream extends IngestLineStream {
  readonly #ingester: Ingester;
  readonly #throttle: EventThrottle;
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
    const throttle: EventThrottle = new EventThrottle(tell, () => ingester.stats, systemClock);
    const ingester = new Ingester(options, throttle);
    const recordOf = mapperFor(ingester.tags);
    super(ingester, recordOf, streamOptions);
    this.#ingester = ingester;
    this.#throttle = throttle;
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
    this.#throttle.tellAll();
  }

  override flush(callback?: () => void): void {
    super.flush(() => {
      this.#throttle.tellAll();
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
    this.#throttle.added();
    super._write(chunk, encoding, callback);
  }

  override _final(callback: () => void): void {
    super._final(() => {
      this.#throttle.tellAll();
      callback();
    });
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    super._destroy(error, (passed) => {
      this.#throttle.tellAll();
      callback(passed);
    });
  }
}
