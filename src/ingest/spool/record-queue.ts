import type { BatchLimits } from '../batch/batch-builder.ts';
import type { IngestRecord } from '../record/record.ts';

/** Below this many taken records the array isn't worth moving. */
const COMPACT_AFTER = 4096;

/** Records in memory: first in, first out. */
export class RecordQueue {
  #records: (IngestRecord | undefined)[] = [];
  /** Where the oldest record stands; the places before it have been taken. */
  #head = 0;
  #byteLength = 0;

  get length(): number {
    return this.#records.length - this.#head;
  }

  get byteLength(): number {
    return this.#byteLength;
  }

  push(record: IngestRecord): void {
    this.#records.push(record.kept());
    this.#byteLength += record.byteLength;
  }

  shift(): IngestRecord | undefined {
    const record = this.#records[this.#head];
    if (record === undefined) return undefined;
    this.#records[this.#head++] = undefined;
    this.#byteLength -= record.byteLength;
    if (this.#head === this.#records.length) {
      this.#records = [];
      this.#head = 0;
    } else if (this.#head >= COMPACT_AFTER && this.#head * 2 >= this.#records.length) {
      this.#records = this.#records.slice(this.#head);
      this.#head = 0;
    }
    return record;
  }

  /** Takes the oldest records, at least one and as many as the limits allow. */
  take({ maxRecords, maxBytes }: BatchLimits): IngestRecord[] {
    const taken: IngestRecord[] = [];
    let byteLength = 0;
    while (taken.length < maxRecords) {
      const next = this.#records[this.#head];
      if (next === undefined) break;
      byteLength += next.byteLength + 1;
      if (taken.length > 0 && byteLength > maxBytes) break;
      this.shift();
      taken.push(next);
    }
    return taken;
  }
}
