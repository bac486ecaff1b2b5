/**
 * Memory that is used again and again. New memory for every batch would pile up: the garbage collector hardly notices
 * memory outside its heap.
 */
export class BufferPool {
  readonly #maxBytes: number;
  readonly #spares: Buffer[] = [];
  #bytes = 0;

  /** @param maxBytes so much is kept. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Memory that was given back, and is not much larger than what is wanted; or else new one. */
  take(minBytes: number, maxBytes = Number.POSITIVE_INFINITY): Buffer {
    const index = this.#spares.findIndex(({ length }) => length >= minBytes && length <= maxBytes);
    if (index === -1) return Buffer.allocUnsafeSlow(minBytes);
    const [memory] = this.#spares.splice(index, 1) as [Buffer];
    this.#bytes -= memory.length;
    return memory;
  }

  /** Nobody may use the memory any more. */
  giveBack(memory: Buffer): void {
    if (memory.length > this.#maxBytes) return;
    this.#spares.push(memory);
    this.#bytes += memory.length;
    if (this.#bytes <= this.#maxBytes) return;
    // The larger ones are worth more.
    this.#spares.sort((a, b) => b.length - a.length);
    while (this.#bytes > this.#maxBytes) this.#bytes -= this.#spares.pop()?.length ?? 0;
  }
}

/** For batches that grow: a few of them are filled and compressed at the same time. */
export const batchMemory = new BufferPool(3 * 1024 * 1024);

/** For batches that wait, compressed. */
export const bodyMemory = new BufferPool(2 * 1024 * 1024);
