import { AssertionError } from 'node:assert';
import { wrongKind } from '../core/option-checks.ts';
import { withCallerFrames } from './assertions/caller-frames.ts';
import * as log from './assertions/log-assertion.ts';
import type { LogAssertion } from './assertions/verdict.ts';
import type { Advice, LogTestLike } from './matcher-types.ts';
import { NO_PAINT } from './report/paint.ts';

/** An assertion of `node:test` and other runners without matchers. */
type Assertion<Args extends unknown[]> = (logs: LogTestLike | Advice, ...args: Args) => Promise<void>;

function asserting<Arguments extends unknown[]>(
  name: string,
  prepare: (owner: string, ...args: Arguments) => LogAssertion,
  isNot = false,
): Assertion<Arguments> {
  const assertion: Assertion<Arguments> = (logs, ...args) =>
    withCallerFrames(assertion, async (frames) => {
      const style = { isNot, paint: NO_PAINT };
      const { pass, text } = await log.evaluate(name, frames, logs, prepare, args, style);
      if (pass === isNot) throw new AssertionError({ message: text });
    });
  return assertion;
}

/**
 * Asserts that a record matches. For runners without matchers, such as `node:test`.
 *
 * @throws AssertionError that shows the closest records
 * @throws LogOptionsException if the query is invalid
 */
export const assertLogged = asserting('assertLogged', log.logged);

/** Asserts that no record matches. @throws AssertionError that shows the matching records */
export const assertNotLogged = asserting('assertNotLogged', log.logged, true);

/** Asserts that exactly `times` records match, or a number in the range `{ min, max }`. @throws AssertionError */
export const assertLoggedTimes = asserting('assertLoggedTimes', log.times);

/** Asserts that records match in this order; others may come between them. @throws AssertionError */
export const assertLoggedInOrder = asserting('assertLoggedInOrder', log.order);

/** Waits until a record matches. @throws AssertionError if none does within `timeoutMs` */
export const assertEventuallyLogged = asserting('assertEventuallyLogged', log.eventual);

/** Asserts that no captured or tracked logger has dropped a record. @throws AssertionError with the number and reasons */
export const assertNothingDropped = asserting('assertNothingDropped', () => log.dropped, true);

/** Asserts that no record contains a secret. @throws AssertionError with the fields and masked samples */
export const assertNoSecrets = asserting('assertNoSecrets', log.noSecrets);

/** The test that calls an assertion: the context that `node:test` passes to it. */
export interface RunningTest {
  readonly name: string;
  readonly fullName?: string | undefined;
  readonly filePath?: string | undefined;
}

/**
 * Asserts that each message has a pattern of a baseline file, a path relative to the test. The file is written if it has no
 * patterns of the test, unless `CI` is set. `UPDATE_SNAPSHOTS=true`, or `--test-update-snapshots`, replaces them.
 *
 * @throws AssertionError with the new patterns
 */
export const assertNoNewPatterns = asserting(
  'assertNoNewPatterns',
  (owner, baseline: string, test: RunningTest) => {
    const isTest = typeof Object(test).name === 'string' && test.name !== '';
    if (!isTest) throw wrongKind(owner, 'the third argument', 'the context of the test, such as t', test);
    const isUpdate =
      process.execArgv.includes('--test-update-snapshots') || process.env.UPDATE_SNAPSHOTS === 'true';
    return log.noNewPatterns(owner, baseline, {
      testPath: test.filePath ?? process.argv[1],
      testName: test.fullName ?? test.name,
      writes: isUpdate ? 'all' : undefined,
      howToUpdate: 'run the tests with UPDATE_SNAPSHOTS=true (from Node.js 22.3 on, --test-update-snapshots)',
    });
  },
);
