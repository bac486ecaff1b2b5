import { LogException } from '../../core/errors.ts';
import { keepAlive } from '../../core/keep-alive.ts';
import { withFrames } from './caller-frames.ts';

interface RunningAssertion {
  readonly name: string;
  /** Of its call. */
  readonly frames: string;
  /** True after its test has ended: no caller is waiting for it anymore. */
  isOver: boolean;
}

/** The assertions of a test that are running. */
export class PendingAssertions {
  readonly #running = new Map<Promise<unknown>, RunningAssertion>();
  #isClosed = false;
  /** True after one has failed. */
  haveFailed = false;

  /**
   * Runs an assertion. Its promise doesn't settle once the test has ended: runners report a rejection that no code handles
   * as an error of another test.
   *
   * @param name the assertion, as the test calls it
   * @param assertion receives a function that returns whether the test has ended
   * @throws LogException if the records are deleted
   */
  run<Result>(
    name: string,
    frames: string,
    assertion: (isOver: () => boolean) => Promise<Result>,
  ): Promise<Result> {
    if (this.#isClosed) throw closedException(name);
    const call: RunningAssertion = { name, frames, isOver: false };
    const running = keepAlive(assertion(() => call.isOver)).finally(() => this.#running.delete(running));
    this.#running.set(running, call);
    return new Promise((resolve, reject) => {
      running.then(
        (result) => call.isOver || resolve(result),
        (reason) => call.isOver || reject(reason),
      );
    });
  }

  /** Accepts no more assertions. @throws LogException as {@link endTest} */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.endTest();
  }

  /**
   * Waits for running assertions.
   *
   * @throws LogException if there are any, because the test has not awaited them. The stack points to the first one.
   */
  async endTest(): Promise<void> {
    const running = [...this.#running.values()];
    for (const call of running) call.isOver = true;
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
