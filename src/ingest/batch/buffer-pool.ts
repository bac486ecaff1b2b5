/** Pool of buffers. The garbage collector would let buffers accumulate: it underestimates memory outside its heap. */
export class BufferPool {
  readonly #maxBytes: number;
  readonly #minBytes: number;
  readonly #spares: Buffer[] = [];
  #bytes = 0;

  /**
   * @param maxBytes maximum size of the unused buffers.
   * @param minBytes smaller buffers are not pooled: a search through thousands would be slow.
   */
  constructor(maxBytes: number, minBytes = 0) {
    this.#maxBytes = maxBytes;
    this.#minBytes = minBytes;
  }

  /** Returns a pooled buffer of at least this size, or a new one. */
  take(minBytes: number): Buffer {
    if (minBytes < this.#minBytes) return Buffer.allocUnsafe(minBytes);
    const index = this.#spares.findIndex(({ length }) => length >= minBytes);
    if (index === -1) return Buffer.allocUnsafeSlow(minBytes);
    const [memory] = this.#spares.splice(index, 1) as [Buffer];
    this.#bytes -= memory.length;
    return memory;
  }

  /** Returns a buffer to the pool. It must not be used afterwards. */
  giveBack(memory: Buffer): void {
    if (memory.length < this.#minBytes || memory.length > this.#maxBytes) return;
    this.#spares.push(memory);
    this.#bytes += memory.length;
    if (this.#bytes <= this.#maxBytes) return;
    // Larger buffers are more expensive to allocate.
    this.#spares.sort((a, b) => b.length - a.length);
    while (this.#bytes > this.#maxBytes) this.#bytes -= this.#spares.pop()?.length ?? 0;
  }
}

/** Memory of growing batches. A few are filled and compressed at the same time. */
export const batchMemory = new BufferPool(3 * 1024 * 1024, 8 * 1024);
