import type { SplittableBatch } from './splittable-batch.ts';

/** Packed batches, waiting or in flight. */
export class SendQueue {
  /** Oldest first. */
  readonly #waiting: SplittableBatch[] = [];
  readonly #inFlight = new Set<SplittableBatch>();
  /** Last known memory use of each batch. Summing up all batches for every record would be slow. */
  readonly #counted = new Map<SplittableBatch, number>();
  /** Last known memory use of all batches. */
  heldBytes = 0;
  #turns = 0;

  get waiting(): number {
    return this.#waiting.length;
  }

  get inFlight(): number {
    return this.#inFlight.size;
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

  push(batch: SplittableBatch): void {
    this.#waiting.push(batch);
    this.#count(batch, batch.heldBytes);
  }

  shift(): SplittableBatch | undefined {
    const batch = this.#waiting.shift();
    if (batch !== undefined) this.#forget(batch);
    return batch;
  }

  /** Moves the oldest waiting batch in flight, or each in turn. */
  takeNext(rotates: boolean): SplittableBatch | undefined {
    const [batch] = this.#waiting.splice(rotates ? this.#turns++ % this.#waiting.length : 0, 1);
    if (batch !== undefined) this.#inFlight.add(batch);
    return batch;
  }

  /** Moves a batch in flight, which was refused, back to the waiting ones. */
  putBack(batch: SplittableBatch): void {
    this.#inFlight.delete(batch);
    this.#waiting.push(batch);
    this.#waiting.sort((a, b) => a.firstNumber - b.firstNumber);
    this.#count(batch, batch.heldBytes);
  }

  remove(batch: SplittableBatch): void {
    this.#inFlight.delete(batch);
    this.#forget(batch);
  }

  /** Moves the batches in flight back to the waiting ones. */
  recall(): void {
    for (const batch of this.#inFlight) this.putBack(batch);
  }

  /** Removes all batches. @returns them, oldest first. */
  clear(): SplittableBatch[] {
    this.recall();
    this.#counted.clear();
    this.heldBytes = 0;
    return this.#waiting.splice(0);
  }

  /** Called when a batch was compressed. It may have been removed meanwhile. */
  compressed(batch: SplittableBatch): void {
    if (this.#counted.has(batch)) this.#count(batch, batch.heldBytes);
  }

  recount(): void {
    for (const batch of this.#inFlight) this.#count(batch, batch.heldBytes);
  }

  #count(batch: SplittableBatch, bytes: number): void {
    this.heldBytes += bytes - (this.#counted.get(batch) ?? 0);
    this.#counted.set(batch, bytes);
  }

  #forget(batch: SplittableBatch): void {
    this.heldBytes -= this.#counted.get(batch) ?? 0;
    this.#counted.delete(batch);
  }
}
