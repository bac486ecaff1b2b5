import { forwardAbort } from './forward-abort.ts';

type Result<Item> = IteratorResult<Item, void>;

const END = { done: true, value: undefined } as const;

export interface ItemsOfBatchesOptions {
  /** Signal of the caller. After its abort, the sequence rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the sequence ends without an error instead. @default false */
  readonly endsQuietly?: boolean | undefined;
}

/**
 * Yields the items of batches one at a time, and can be ended while it waits. An available item costs one promise; a
 * generator would need several turns per item, and queue `return()` behind a pending `next()`, until a response
 * arrives.
 */
export class ItemsOfBatches<Item> implements AsyncGenerator<Item, void, undefined> {
  readonly #batches: AsyncGenerator<readonly Item[], void, undefined>;
  readonly #options: ItemsOfBatchesOptions;
  readonly #closing = new AbortController();
  #unlink: (() => void) | undefined;
  #batch: readonly Item[] = [];
  #next = 0;
  #hasEnded = false;
  /** Number of calls waiting for the next batch. */
  #waiting = 0;
  #lastWait: Promise<unknown> = Promise.resolve();

  /**
   * @param open creates the generator of batches. Its signal aborts when the sequence is closed or the caller aborts,
   * and must end any wait.
   */
  constructor(
    open: (signal: AbortSignal) => AsyncGenerator<readonly Item[], void, undefined>,
    options: ItemsOfBatchesOptions = {},
  ) {
    this.#batches = open(this.#closing.signal);
    this.#options = options;
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
    this.#closing.abort();
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
    if (this.#closing.signal.aborted) return this.#abort();
    return Promise.resolve({ done: false, value: this.#batch[this.#next++] as Item });
  }

  async #fetch(): Promise<Result<Item>> {
    const { signal } = this.#closing;
    if (!this.#hasEnded) this.#unlink ??= forwardAbort(this.#options.signal, this.#closing);
    while (this.#next >= this.#batch.length) {
      if (this.#hasEnded) return END;
      if (signal.aborted) return this.#abort();
      try {
        const { done, value } = await this.#batches.next();
        if (done) this.#end();
        // The sequence may have been closed in the meantime.
        if (this.#hasEnded) return END;
        this.#batch = value as readonly Item[];
        this.#next = 0;
      } catch (error) {
        if (this.#hasEnded) return END;
        if (signal.aborted) return this.#abort(error);
        this.#end();
        throw error;
      }
    }
    return this.#take();
  }

  /** Ends after an abort by the caller. */
  #abort(error: unknown = this.#closing.signal.reason): Promise<Result<Item>> {
    this.#end();
    this.#batches.return().catch(() => {});
    return this.#options.endsQuietly ? Promise.resolve(END) : Promise.reject(error);
  }

  #end(): void {
    this.#hasEnded = true;
    this.#batch = [];
    this.#unlink?.();
  }
}
