import type { Shipment } from './shipment.ts';

/** Shipments that are packed, and those of them that are under way. */
export class Outbox {
  /** In the order of their records. */
  readonly #waiting: Shipment[] = [];
  readonly #inFlight = new Set<Shipment>();
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

  /** The memory that all of them take, as of the last {@link recount}. */
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
    this.recount();
  }

  /** Takes the oldest of those that wait. */
  shift(): Shipment | undefined {
    const shipment = this.#waiting.shift();
    this.recount();
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
    this.recount();
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
    this.recount();
    return all;
  }

  /** To be called when a shipment has changed: it is compressed, or a part of it is delivered. */
  recount(): void {
    this.#heldBytes = this.waitingBytes;
    for (const { heldBytes } of this.#inFlight) this.#heldBytes += heldBytes;
  }
}
