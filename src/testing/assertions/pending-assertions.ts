import { LogException } from '../../core/errors.ts';
import { keepAlive } from '../../core/keep-alive.ts';
import { withFrames } from './caller-frames.ts';

/** The assertions of a test that are running. */
export class PendingAssertions {
  /** Each with its name and the stack frames of its call. */
  readonly #running = new Map<Promise<unknown>, { readonly name: string; readonly frames: string }>();
  /** True after the test has ended: no caller is waiting for an assertion anymore. */
  isOver = false;
  /** True after one has failed. */
  haveFailed = false;

  /**
   * Runs an assertion. Its promise doesn't settle once the test has ended: runners report a rejection that no code handles
   * as an error of another test.
   *
   * @param name the assertion, as the test calls it
   * @throws LogException if the records are deleted
   */
  run<Result>(name: string, frames: string, assertion: () => Promise<Result>): Promise<Result> {
    if (this.isOver) throw closedException(name);
    const running = keepAlive(assertion()).finally(() => this.#running.delete(running));
    this.#running.set(running, { name, frames });
    return new Promise((resolve, reject) => {
      running.then(
        (result) => this.isOver || resolve(result),
        (reason) => this.isOver || reject(reason),
      );
    });
  }

  /**
   * Waits for running assertions.
   *
   * @throws LogException if there are any, because the test has not awaited them. The stack points to the first one.
   */
  async end(): Promise<void> {
    this.isOver = true;
    const running = [...this.#running.values()];
    await Promise.allSettled(this.#running.keys());
    const [first] = running;
    if (first === undefined) return;
    const names = new Set(running.map(({ name }) => `\`${name}()\``));
    const message = `Still running when the test ended: ${[...names].join(', ')}. Add \`await\`; if it is there, the test timed out.`;
    throw withFrames(new LogException(message, 'LOG_NOT_AWAITED'), first.frames);
  }
}

/** The error of a method that is called after the logs were closed. */
export function closedException(name: string): LogException {
  return new LogException(
    `\`${name}()\` was called after logs.close(), which deletes the records.`,
    'LOG_CLOSED',
  );
}
