import type { BatchLimits } from '../batch/batch-builder.ts';
import type { IngestRecord } from '../record/record.ts';

/** FIFO queue of records in memory. */
export class RecordQueue {
  #records: IngestRecord[] = [];
  /** Total size of the events, in bytes. */
  byteLength = 0;

  get length(): number {
    return this.#records.length;
  }

  /** Keeps the record's own memory: a hook that logs overwrites reused memory. */
  push(record: IngestRecord): void {
    this.#records.push(record.kept());
    this.byteLength += record.byteLength;
  }

  /** Returns records to the front of the queue, in the same order. */
  putBack(records: readonly IngestRecord[]): void {
    this.#records = [...records, ...this.#records];
    for (const { byteLength } of records) this.byteLength += byteLength;
  }

  /** Removes the oldest records: as many as the limits allow, but at least one. */
  take({ maxRecords, maxBytes }: BatchLimits): IngestRecord[] {
    let count = 0;
    let bytes = 0;
    for (const { byteLength } of this.#records) {
      bytes += byteLength + 1;
      if (count === maxRecords || (count > 0 && bytes > maxBytes)) break;
      count++;
      this.byteLength -= byteLength;
    }
    return this.#records.splice(0, count);
  }
}
