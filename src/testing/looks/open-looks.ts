import { LogException } from '../../errors.ts';
import { stayAlive } from './stay-alive.ts';
import { WatchedPromise } from './watched-promise.ts';

/** What a runner has made of a look: what the test was to await. */
interface WatchedLook {
  readonly name: string;
  readonly outcome: WatchedPromise<unknown>;
  /** Where the test asked for it. */
  readonly place: Error;
}

/** The looks of a test: those that are running, and those whose outcome nobody has asked for. */
export class OpenLooks {
  readonly #running = new Map<Promise<unknown>, string>();
  readonly #watched = new Set<WatchedLook>();
  #isOver = false;
  #isClosed = false;

  /** Whether the test is over: nobody waits for a look any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * @param name the look, as the test calls it.
   * @throws LogException when the records are gone.
   */
  run<Result>(name: string, look: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw closedException(name);
    const running = stayAlive(look()).finally(() => this.#running.delete(running));
    this.#running.set(running, name);
    return running;
  }

  /** Notes whether somebody awaits what a runner makes of a look. Until then its failure is kept for the test's end. */
  watch<Result>(name: string, outcome: Promise<Result>): Promise<Result> {
    return this.#note(name, WatchedPromise.of(outcome));
  }

  /** The same for a look without a runner, whose failure is not kept: nobody may be there to tell it in the end. */
  watchAlone<Result>(name: string, outcome: Promise<Result>): Promise<Result> {
    return this.#note(name, WatchedPromise.ofTest(outcome));
  }

  #note<Result>(name: string, watched: WatchedPromise<Result>): Promise<Result> {
    this.#watched.add({ name, outcome: watched, place: new Error(name) });
    return watched;
  }

  /**
   * A test is over, and others may come that look at the same records.
   *
   * @throws LogException for a look whose `await` was forgotten: with its message, when it has failed.
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
   * Waits for what is still running.
   *
   * @throws LogException when anything is, or for a look whose `await` was forgotten.
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

function forgottenException({ name, place }: WatchedLook, failure: string | undefined): LogException {
  const advice = `\`${name}()\` returns a promise: add \`await\`.`;
  const message = failure === undefined ? advice : `${failure}\n\n${advice}`;
  const exception = new LogException(message, 'LOG_NOT_AWAITED');
  // Runners show the line of the test that asked.
  exception.stack = `${exception.name}: ${message}\n${place.stack?.replace(/^.*\n/, '') ?? ''}`;
  return exception;
}
