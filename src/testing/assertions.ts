import { AssertionError } from 'node:assert';
import { basename, dirname } from 'node:path';
import type { AssertionSubject } from './assertions/assertion-target.ts';
import { withCallerFrames } from './assertions/caller-frames.ts';
import type { BaselineMode } from './assertions/has-no-new-patterns.ts';
import type { NoSecretsOptions } from './assertions/has-no-secrets.ts';
import {
  droppedAssertion,
  type EventualAssertionOptions,
  evaluate,
  eventualAssertion,
  type LogAssertion,
  loggedAssertion,
  noNewPatternsAssertion,
  noSecretsAssertion,
  orderAssertion,
  timesAssertion,
} from './assertions/log-assertion.ts';
import type { Times } from './assertions/logged-times.ts';
import type { LogExpectation } from './expectations/expectation.ts';
import type { AssertionOptions } from './log-source.ts';
import { NO_PAINT } from './report/paint.ts';

/**
 * Asserts that a record matches. For runners without matchers, such as `node:test`.
 *
 * @throws AssertionError that shows the closest records
 * @throws LogOptionsException if the query is invalid
 */
export function assertLogged(
  logs: AssertionSubject,
  expected: LogExpectation,
  options?: AssertionOptions,
): Promise<void> {
  return assertThat(logs, assertLogged, () => loggedAssertion('assertLogged', expected, options));
}

/** Asserts that no record matches. @throws AssertionError that shows the matching records */
export function assertNotLogged(
  logs: AssertionSubject,
  expected: LogExpectation,
  options?: AssertionOptions,
): Promise<void> {
  return assertThat(logs, assertNotLogged, () => loggedAssertion('assertNotLogged', expected, options), true);
}

/** Asserts that exactly `times` records match, or a number in the range `{ min, max }`. @throws AssertionError */
export function assertLoggedTimes(
  logs: AssertionSubject,
  expected: LogExpectation,
  times: Times,
  options?: AssertionOptions,
): Promise<void> {
  return assertThat(logs, assertLoggedTimes, () =>
    timesAssertion('assertLoggedTimes', expected, times, options),
  );
}

/** Asserts that records match in this order; others may come between them. @throws AssertionError */
export function assertLoggedInOrder(
  logs: AssertionSubject,
  expected: readonly LogExpectation[],
  options?: AssertionOptions,
): Promise<void> {
  return assertThat(logs, assertLoggedInOrder, () =>
    orderAssertion('assertLoggedInOrder', expected, options),
  );
}

/** Waits until a record matches. @throws AssertionError if none does within `timeoutMs` */
export function assertEventuallyLogged(
  logs: AssertionSubject,
  expected: LogExpectation,
  options?: EventualAssertionOptions,
): Promise<void> {
  return assertThat(logs, assertEventuallyLogged, () =>
    eventualAssertion('assertEventuallyLogged', expected, options),
  );
}

/** Asserts that no captured or tracked logger has dropped a record. @throws AssertionError with the number and reasons */
export function assertNothingDropped(logs: AssertionSubject): Promise<void> {
  return assertThat(logs, assertNothingDropped, () => droppedAssertion, true);
}

/** Asserts that no record contains a secret. @throws AssertionError with the fields and masked samples */
export function assertNoSecrets(logs: AssertionSubject, options?: NoSecretsOptions): Promise<void> {
  return assertThat(logs, assertNoSecrets, () => noSecretsAssertion('assertNoSecrets', options));
}

/** The test that calls an assertion: the context that `node:test` passes to it. */
export interface RunningTest {
  readonly name: string;
  readonly fullName?: string | undefined;
  readonly filePath?: string | undefined;
}

/**
 * Asserts that each message has a pattern of a baseline file, a path relative to the test. The file is written if it has no
 * patterns of the test, unless `CI` is set. `--test-update-snapshots`, or `UPDATE_SNAPSHOTS=true`, replaces them.
 *
 * @throws AssertionError with the new patterns
 */
export function assertNoNewPatterns(
  logs: AssertionSubject,
  baseline: string,
  test: RunningTest,
): Promise<void> {
  const { name, fullName = name, filePath = process.argv[1] ?? '' } = test;
  const isUpdate =
    process.execArgv.includes('--test-update-snapshots') || process.env.UPDATE_SNAPSHOTS === 'true';
  const mode: BaselineMode = {
    folder: dirname(filePath),
    test: `${basename(filePath)} > ${fullName}`,
    writes: isUpdate ? 'all' : process.env.CI ? 'none' : 'new',
    howToUpdate: 'run the tests with --test-update-snapshots, or with UPDATE_SNAPSHOTS=true',
  };
  return assertThat(logs, assertNoNewPatterns, () =>
    noNewPatternsAssertion('assertNoNewPatterns', baseline, mode),
  );
}

function assertThat(
  logs: unknown,
  callee: { readonly name: string },
  prepare: () => LogAssertion,
  isNot = false,
): Promise<void> {
  return withCallerFrames(callee, async (frames) => {
    const style = { name: callee.name, frames, isNot, paint: NO_PAINT };
    const { pass, text } = await evaluate(logs, prepare(), style);
    if (pass === isNot) throw new AssertionError({ message: text });
  });
}
