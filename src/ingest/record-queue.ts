import type { IngestRecord } from './record.ts';
import type { BatchLimits, RecordStore } from './record-store.ts';

/** Arrivals are noted this often, not for every record. */
const ARRIVAL_GRAIN_MS = 20;

interface Arrival {
  readonly firstNumber: number;
  readonly at: number;
}

/** Below this many taken records the array isn't worth moving. */
const COMPACT_AFTER = 4096;

/** The store in memory. */
export class RecordQueue implements RecordStore {
  #records: (IngestRecord | undefined)[] = [];
  /** Where the oldest record stands; the places before it have been taken. */
  #head = 0;
  #firstNumber = 0;
  #byteLength = 0;
  /** When records came: each entry holds for its number and those up to the next entry. */
  #arrivals: Arrival[] = [];

  get length(): number {
    return this.#records.length - this.#head;
  }

  get byteLength(): number {
    return this.#byteLength;
  }

  /** The number of the oldest record, or of the next to come when the queue is empty. */
  get firstNumber(): number {
    return this.#firstNumber;
  }

  /** When the oldest record came, in epoch milliseconds and at most {@link ARRIVAL_GRAIN_MS} too early. */
  get oldestArrival(): number | undefined {
    return this.#arrivals[0]?.at;
  }

  push(record: IngestRecord, nowMs: number): void {
    const latest = this.#arrivals[this.#arrivals.length - 1];
    const arrival = { firstNumber: this.#firstNumber + this.length, at: nowMs };
    if (latest === undefined || this.length === 0) this.#arrivals = [arrival];
    else if (nowMs - latest.at >= ARRIVAL_GRAIN_MS) this.#arrivals.push(arrival);
    this.#records.push(record);
    this.#byteLength += record.byteLength;
  }

  shift(): IngestRecord | undefined {
    const record = this.#records[this.#head];
    if (record === undefined) return undefined;
    this.#records[this.#head++] = undefined;
    this.#firstNumber++;
    const next = this.#arrivals[1];
    if (next !== undefined && next.firstNumber <= this.#firstNumber) this.#arrivals.shift();
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
