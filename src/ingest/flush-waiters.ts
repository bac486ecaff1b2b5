/** Who waits until records up to a number are delivered or dropped. */
export class FlushWaiters {
  /** In ascending order, as records are numbered by arrival. */
  readonly #waiters: { readonly beforeNumber: number; readonly resolve: () => void }[] = [];

  /** Resolves when every record with a smaller number than `beforeNumber` is settled. */
  wait(beforeNumber: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push({ beforeNumber, resolve });
    });
  }

  /** All records with smaller numbers than `settledBefore` are settled now. */
  settle(settledBefore: number): void {
    while (this.#waiters[0] !== undefined && this.#waiters[0].beforeNumber <= settledBefore) {
      this.#waiters.shift()?.resolve();
    }
  }
}
