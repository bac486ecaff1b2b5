import type { Shipment } from './shipment.ts';

/** Shipments that are packed, and those of them that are under way. */
export class Outbox {
  /** In the order of their records. */
  readonly #waiting: Shipment[] = [];
  readonly #inFlight = new Set<Shipment>();
  /** What each takes, as it was counted last: adding all of them up for every record would take ever longer. */
  readonly #counted = new Map<Shipment, number>();
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

  push(shipment: Shipment): void {
    this.#waiting.push(shipment);
    this.#count(shipment, shipment.heldBytes);
  }

  /** Takes the oldest of those that wait. */
  shift(): Shipment | undefined {
    const shipment = this.#waiting.shift();
    if (shipment !== undefined) this.#forget(shipment);
    return shipment;
  }

  /** Moves the oldest of those that wait to those under way. */
  depart(): Shipment | undefined {
    const shipment = this.#waiting.shift();
    if (shipment !== undefined) this.#inFlight.add(shipment);
    return shipment;
  }

  arrived(shipment: Shipment): void {
    this.#inFlight.delete(shipment);
    this.#forget(shipment);
  }

  /** Moves those under way back to those that wait. */
  recall(): void {
    this.#waiting.unshift(...this.#inFlight);
    this.#inFlight.clear();
  }

  /** Empties it. @returns all shipments, the oldest first */
  clear(): Shipment[] {
    const all = [...this.#inFlight, ...this.#waiting.splice(0)];
    this.#inFlight.clear();
    this.#counted.clear();
    this.#heldBytes = 0;
    return all;
  }

  /** To be called when a shipment is compressed. It may have left meanwhile. */
  packed(shipment: Shipment): void {
    if (this.#counted.has(shipment)) this.#count(shipment, shipment.heldBytes);
  }

  /** To be called when parts of those under way are delivered or given up. */
  recount(): void {
    for (const shipment of this.#inFlight) this.#count(shipment, shipment.heldBytes);
  }

  #count(shipment: Shipment, bytes: number): void {
    this.#heldBytes += bytes - (this.#counted.get(shipment) ?? 0);
    this.#counted.set(shipment, bytes);
  }

  #forget(shipment: Shipment): void {
    this.#heldBytes -= this.#counted.get(shipment) ?? 0;
    this.#counted.delete(shipment);
  }
}
