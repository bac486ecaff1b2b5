/** Share of the heap at which it counts as full. */
const MAX_HEAP_SHARE = 0.9;

/** Reads how much of the heap is in use, and its maximum, in bytes. */
export type HeapGauge = () => { readonly used: number; readonly limit: number };

/** Whether the heap is full of more than garbage. */
export class FullHeap {
  readonly #gauge: HeapGauge;
  /** An object that disappears with the next full garbage collection. */
  #canary: WeakRef<object> | undefined;

  constructor(gauge: HeapGauge) {
    this.#gauge = gauge;
  }

  /** Call it at the end of each slice: V8 collects no object that was read in the same turn of the event loop. */
  isFull(): boolean {
    const { used, limit } = this.#gauge();
    if (used <= MAX_HEAP_SHARE * limit) {
      this.#canary = undefined;
      return false;
    }
    if (this.#canary !== undefined && this.#canary.deref() === undefined) {
      this.#canary = undefined;
      return true;
    }
    this.#canary ??= new WeakRef({});
    return false;
  }
}
