/** A record as JSON. */
interface QueuedRecord {
  readonly text: string;
  readonly bytes: number;
}

export type Batch = readonly QueuedRecord[];

/** Size of the records in a request, with their separators. */
export function bytesOf(batch: Batch): number {
  return batch.reduce((total, { bytes }) => total + bytes + 1, 0);
}

/** Records that wait, in order. */
export class RecordQueue {
  #records: QueuedRecord[] = [];
  bytes = 0;

  get length(): number {
    return this.#records.length;
  }

  push(text: string): void {
    const record = { text, bytes: new TextEncoder().encode(text).length };
    this.#records.push(record);
    this.bytes += bytesOf([record]);
  }

  /** Adds records before the others, or behind them. */
  putBack(batch: Batch, isNext = true): void {
    this.#records = isNext ? [...batch, ...this.#records] : [...this.#records, ...batch];
    this.bytes += bytesOf(batch);
  }

  /** Removes the oldest records of this size, at least one. */
  take(maxBytes: number): Batch {
    let count = 0;
    for (let bytes = 0; count < this.length; count++) {
      bytes += bytesOf([this.#records[count]!]);
      if (bytes > maxBytes && count > 0) break;
    }
    const batch = this.#records.splice(0, count);
    this.bytes -= bytesOf(batch);
    return batch;
  }

  /** Drops the oldest records until the others have at most this size. @returns the number of dropped records. */
  trim(maxBytes: number): number {
    let dropped = 0;
    for (; this.bytes > maxBytes; dropped++) this.take(0);
    return dropped;
  }
}
