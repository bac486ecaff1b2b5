type Result<Item> = IteratorResult<Item, void>;

const END = { done: true, value: undefined } as const;

/**
 * Yields the items of batches one at a time. An available item costs one promise; a generator would need several turns
 * per item.
 *
 * If creating an item throws, the sequence ends and the generator of batches is closed.
 */
export class ItemsOfBatches<Part, Item> implements AsyncGenerator<Item, void, undefined> {
  readonly #batches: AsyncGenerator<readonly Part[], void, undefined>;
  readonly #itemOf: (part: Part) => Item;
  #batch: readonly Part[] = [];
  #next = 0;
  #hasEnded = false;
  /** Number of calls waiting for the next batch. */
  #waiting = 0;
  #lastWait: Promise<unknown> = Promise.resolve();

  constructor(batches: AsyncGenerator<readonly Part[], void, undefined>, itemOf: (part: Part) => Item) {
    this.#batches = batches;
    this.#itemOf = itemOf;
  }

  next(): Promise<Result<Item>> {
    if (this.#waiting === 0 && this.#next < this.#batch.length) return this.#take();
    this.#waiting++;
    const result = this.#lastWait.then(() => this.#fetch());
    this.#lastWait = result.then(
      () => this.#waiting--,
      () => this.#waiting--,
    );
    return result;
  }

  async return(): Promise<Result<Item>> {
    this.#end();
    await this.#batches.return();
    return END;
  }

  async throw(error: unknown): Promise<Result<Item>> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  /** The next item, which must exist. */
  #take(): Promise<Result<Item>> {
    try {
      return Promise.resolve({ done: false, value: this.#itemOf(this.#batch[this.#next++] as Part) });
    } catch (error) {
      this.#end();
      this.#batches.return().catch(() => {});
      return Promise.reject(error);
    }
  }

  async #fetch(): Promise<Result<Item>> {
    while (this.#next >= this.#batch.length) {
      const { done, value } = this.#hasEnded ? END : await this.#batches.next();
      // The sequence may have been closed in the meantime.
      if (done || this.#hasEnded) return END;
      this.#batch = value;
      this.#next = 0;
    }
    return this.#take();
  }

  #end(): void {
    this.#hasEnded = true;
    this.#batch = [];
  }
}
