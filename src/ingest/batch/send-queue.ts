import type { Batch } from './batch.ts';

/** Packed batches, waiting or in flight. */
export class SendQueue {
  /** Oldest first. */
  readonly #waiting: Batch[] = [];
  readonly #inFlight = new Set<Batch>();
  /** Last known memory use of each batch. Summing up all batches for every record would be slow. */
  readonly #counted = new Map<Batch, number>();
  /** Last known memory use of all batches. */
  heldBytes = 0;
  /** Size of the events of all batches, uncompressed. */
  eventBytes = 0;

  get waiting(): readonly Batch[] {
    return this.#waiting;
  }

  get waitingRecords(): number {
    return this.#waiting.reduce((sum, { length }) => sum + length, 0);
  }

  get waitingBytes(): number {
    return this.#waiting.reduce((sum, { heldBytes }) => sum + heldBytes, 0);
  }

  get inFlightRecords(): number {
    return [...this.#inFlight].reduce((sum, { length }) => sum + length, 0);
  }

  /** Smallest number of a record. */
  get firstNumber(): number | undefined {
    let first = this.#waiting[0]?.firstNumber;
    for (const { firstNumber } of this.#inFlight) first = Math.min(first ?? firstNumber, firstNumber);
    return first;
  }

  push(batch: Batch): void {
    this.#waiting.push(batch);
    this.#count(batch);
  }

  /** Removes the oldest waiting batch. */
  shift(): Batch | undefined {
    const batch = this.#waiting.shift();
    if (batch !== undefined) this.#forget(batch);
    return batch;
  }

  /** Moves a waiting batch in flight. */
  take(batch: Batch): void {
    this.#waiting.splice(this.#waiting.indexOf(batch), 1);
    this.#inFlight.add(batch);
  }

  /** Moves a batch, or the parts that are left of it, to the waiting ones. */
  putBack(batch: Batch, parts: readonly Batch[] = [batch]): void {
    if (!this.#inFlight.delete(batch)) this.#waiting.splice(this.#waiting.indexOf(batch), 1);
    this.#forget(batch);
    if (parts.length === 0) return;
    const at = this.#waiting.findIndex(({ firstNumber }) => firstNumber > batch.firstNumber);
    this.#waiting.splice(at < 0 ? this.#waiting.length : at, 0, ...parts);
    for (const part of parts) this.#count(part);
  }

  /** Moves the batches in flight back to the waiting ones. */
  recall(): void {
    for (const batch of this.#inFlight) this.putBack(batch);
  }

  /** Removes all batches. @returns them, oldest first. */
  clear(): Batch[] {
    this.recall();
    this.#counted.clear();
    this.heldBytes = 0;
    this.eventBytes = 0;
    return this.#waiting.splice(0);
  }

  /** Called when a batch was compressed. It may have been removed meanwhile. */
  compressed(batch: Batch): void {
    if (this.#counted.has(batch)) this.#count(batch);
  }

  #count(batch: Batch): void {
    const { heldBytes } = batch;
    if (!this.#counted.has(batch)) this.eventBytes += batch.byteLength;
    this.heldBytes += heldBytes - (this.#counted.get(batch) ?? 0);
    this.#counted.set(batch, heldBytes);
  }

  #forget(batch: Batch): void {
    this.eventBytes -= batch.byteLength;
    this.heldBytes -= this.#counted.get(batch) ?? 0;
    this.#counted.delete(batch);
  }
}
