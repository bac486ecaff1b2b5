import { LogException } from '../../errors.ts';
import { keepAlive } from './keep-alive.ts';
import { WatchedPromise } from './watched-promise.ts';

/** What a runner has made of a look: what the test was to await. */
interface PendingAssertion {
  readonly name: string;
  readonly outcome: WatchedPromise<unknown>;
  /** Where the test asked for it. */
  readonly place: Error;
}

/** The assertions of a test that are running or were not awaited. */
export class PendingAssertions {
  readonly #running = new Map<Promise<unknown>, string>();
  readonly #watched = new Set<PendingAssertion>();
  #isOver = false;
  #isClosed = false;

  /** True after the test has ended: no assertion is awaited any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * @param name the assertion, as the test calls it
   * @throws LogException if the records are deleted
   */
  run<Result>(name: string, look: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw closedException(name);
    const running = keepAlive(look()).finally(() => this.#running.delete(running));
    this.#running.set(running, name);
    return running;
  }

  /** Tracks whether the promise that a runner derives is awaited. Until then, a failure is kept for the end of the test. */
  watch<Result>(name: string, outcome: Promise<Result>): Promise<Result> {
    return this.#note(name, WatchedPromise.of(outcome));
  }

  /** The same without a runner. A failure is not kept, because nothing may report it later. */
  watchAlone<Result>(name: string, outcome: Promise<Result>): Promise<Result> {
    return this.#note(name, WatchedPromise.ofTest(outcome));
  }

  #note<Result>(name: string, watched: WatchedPromise<Result>): Promise<Result> {
    this.#watched.add({ name, outcome: watched, place: new Error(name) });
    return watched;
  }

  /**
   * Ends a test; later tests can use the same records.
   *
   * @throws LogException if an assertion was not awaited; the message includes its failure, if any
   */
  async settleForgotten(): Promise<void> {
    const forgotten = [...this.#watched].filter(({ outcome }) => !outcome.isAwaited);
    this.#watched.clear();
    if (forgotten.length === 0) return;
    this.#isOver = true;
    const failures = await Promise.all(forgotten.map(({ outcome }) => failureOf(outcome)));
    this.#isOver = this.#isClosed;
    // One is enough to mend the test; one that failed tells more.
    const index = failures.findIndex((failure) => failure !== undefined);
    throw forgottenException(forgotten[Math.max(index, 0)]!, failures[index]);
  }

  /**
   * Waits for running assertions.
   *
   * @throws LogException if an assertion is still running or was not awaited
   */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#isClosed = true;
    const names = [...new Set(this.#running.values())].map((name) => `\`${name}()\``);
    try {
      await this.settleForgotten();
    } finally {
      await Promise.allSettled(this.#running.keys());
    }
    if (names.length === 0) return;
    throw new LogException(
      `Still running when the test ended: ${names.join(', ')}. Add \`await\`; if it is there, the test timed out.`,
      'LOG_NOT_AWAITED',
    );
  }
}

/** For what is asked of a log test after its end. */
export function closedException(name: string): LogException {
  return new LogException(
    `\`${name}()\` was called after logs.close(), which deletes the records.`,
    'LOG_CLOSED',
  );
}

function failureOf(outcome: Promise<unknown>): Promise<string | undefined> {
  return outcome.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

function forgottenException({ name, place }: PendingAssertion, failure: string | undefined): LogException {
  const advice = `\`${name}()\` returns a promise: add \`await\`.`;
  const message = failure === undefined ? advice : `${failure}\n\n${advice}`;
  const exception = new LogException(message, 'LOG_NOT_AWAITED');
  // Runners show the line of the test that asked.
  exception.stack = `${exception.name}: ${message}\n${place.stack?.replace(/^.*\n/, '') ?? ''}`;
  return exception;
}
