type Result<Item> = IteratorResult<Item, void>;

const END = { done: true, value: undefined } as const;

/**
 * The items of batches, one at a time. An item that is here already takes one promise; a generator would take several
 * turns for each of a million.
 *
 * When making an item throws, that ends the sequence and returns the batches' generator.
 */
export class ItemsOfBatches<Part, Item> implements AsyncGenerator<Item, void, undefined> {
  readonly #batches: AsyncGenerator<readonly Part[], void, undefined>;
  readonly #itemOf: (part: Part) => Item;
  #batch: readonly Part[] = [];
  #next = 0;
  #hasEnded = false;
  /** Those who wait for the next batch, one behind the other. */
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

  /** The item that comes next. There has to be one. */
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
      // It may have been returned meanwhile.
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
