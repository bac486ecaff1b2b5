/** What is known of a promise, and of those that a runner derives from it. */
interface Watch {
  isAwaited: boolean;
  /** The call that has made it has not returned, so that the test does not have it yet. */
  isNew: boolean;
}

const ignore = (): void => {};

/**
 * A promise that knows whether anybody has asked for its outcome: `await` calls `then` of any promise that is not a
 * plain one, and not at once. The failure of one that a runner gets is kept, and is no unhandled rejection, which ends some.
 */
export class WatchedPromise<Result> extends Promise<Result> {
  /** What is derived from it is the affair of who derives it. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  #watch: Watch = { isAwaited: false, isNew: false };

  static of<Result>(promise: Promise<Result>): WatchedPromise<Result> {
    const watch = { isAwaited: false, isNew: true };
    void Promise.resolve().then(() => {
      watch.isNew = false;
    });
    return WatchedPromise.#from(promise, watch);
  }

  /** One that the test gets as it is, and whose failure is an unhandled rejection if nobody asks for it. */
  static ofTest<Result>(promise: Promise<Result>): WatchedPromise<Result> {
    return new WatchedPromise<Result>((resolve, reject) => void promise.then(resolve, reject));
  }

  static #from<Result>(promise: Promise<Result>, watch: Watch): WatchedPromise<Result> {
    const watched = new WatchedPromise<Result>((resolve, reject) => void promise.then(resolve, reject));
    watched.#watch = watch;
    Promise.prototype.then.call(watched, undefined, ignore);
    return watched;
  }

  get isAwaited(): boolean {
    return this.#watch.isAwaited;
  }

  // biome-ignore lint/suspicious/noThenProperty: that is how it hears of an await.
  override then<Fulfilled = Result, Rejected = never>(
    onFulfilled?: ((value: Result) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    const derived = super.then(onFulfilled, onRejected);
    // Jest adds a step before the test gets the promise.
    if (this.#watch.isNew) return WatchedPromise.#from(derived, this.#watch);
    this.#watch.isAwaited = true;
    return derived;
  }
}
