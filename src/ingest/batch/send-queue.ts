import type { SplittableBatch } from './splittable-batch.ts';

/** Batches that are packed, and those of them that are under way. */
export class SendQueue {
  /** In the order of their records. */
  readonly #waiting: SplittableBatch[] = [];
  readonly #inFlight = new Set<SplittableBatch>();
  /** What each takes, as it was counted last: adding all of them up for every record would take ever longer. */
  readonly #counted = new Map<SplittableBatch, number>();
  #heldBytes = 0;

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
    let sum = 0;
    for (const { length } of this.#inFlight) sum += length;
    return sum;
  }

  /** The memory that all of them take, as it was when they were counted last. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** The smallest number of a record in it. */
  get firstNumber(): number | undefined {
    let first = this.#waiting[0]?.firstNumber;
    for (const { firstNumber } of this.#inFlight) first = Math.min(first ?? firstNumber, firstNumber);
    return first;
  }

  push(batch: SplittableBatch): void {
    this.#waiting.push(batch);
    this.#count(batch, batch.heldBytes);
  }

  /** Takes the oldest of those that wait. */
  shift(): SplittableBatch | undefined {
    const batch = this.#waiting.shift();
    if (batch !== undefined) this.#forget(batch);
    return batch;
  }

  /** Moves the oldest of those that wait to those under way. */
  depart(): SplittableBatch | undefined {
    const batch = this.#waiting.shift();
    if (batch !== undefined) this.#inFlight.add(batch);
    return batch;
  }

  arrived(batch: SplittableBatch): void {
    this.#inFlight.delete(batch);
    this.#forget(batch);
  }

  /** Moves those under way back to those that wait. */
  recall(): void {
    this.#waiting.unshift(...this.#inFlight);
    this.#inFlight.clear();
  }

  /** Empties it. @returns all batches, the oldest first */
  clear(): SplittableBatch[] {
    const all = [...this.#inFlight, ...this.#waiting.splice(0)];
    this.#inFlight.clear();
    this.#counted.clear();
    this.#heldBytes = 0;
    return all;
  }

  /** To be called when a batch is compressed. It may have left meanwhile. */
  packed(batch: SplittableBatch): void {
    if (this.#counted.has(batch)) this.#count(batch, batch.heldBytes);
  }

  /** To be called when parts of those under way are delivered or given up. */
  recount(): void {
    for (const batch of this.#inFlight) this.#count(batch, batch.heldBytes);
  }

  #count(batch: SplittableBatch, bytes: number): void {
    this.#heldBytes += bytes - (this.#counted.get(batch) ?? 0);
    this.#counted.set(batch, bytes);
  }

  #forget(batch: SplittableBatch): void {
    this.#heldBytes -= this.#counted.get(batch) ?? 0;
    this.#counted.delete(batch);
  }
}
