import { LogException } from '../../errors.ts';

/** The looks of a test that have begun and not ended. */
export class OpenLooks {
  readonly #open = new Map<Promise<unknown>, string>();
  #isOver = false;

  /** Whether the test is over: nobody waits for a look any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** @param name the look, as the test calls it. */
  run<Result>(name: string, look: () => Promise<Result>): Promise<Result> {
    const running = look().finally(() => this.#open.delete(running));
    this.#open.set(running, name);
    return running;
  }

  /**
   * Waits for what is still running.
   *
   * @throws LogException when anything is.
   */
  async end(): Promise<void> {
    this.#isOver = true;
    const names = [...new Set(this.#open.values())];
    await Promise.allSettled(this.#open.keys());
    if (names.length === 0) return;
    throw new LogException(
      `${names.join(', ')} had not ended when the test did. Write "await" before it, for it returns a promise; with an await, the test was out of time.`,
      'LOG_NOT_AWAITED',
    );
  }
}
