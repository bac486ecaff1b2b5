import { AssertionError } from 'node:assert';
import {
  ASSERTION_TARGET,
  type AssertionSubject,
  isAssertionSubject,
} from './assertions/assertion-target.ts';
import {
  type EventualAssertionOptions,
  evaluate,
  eventualAssertion,
  type LogAssertion,
  loggedAssertion,
  orderAssertion,
  requireSubject,
  timesAssertion,
} from './assertions/log-assertion.ts';
import type { AssertionOptions } from './assertions/log-source.ts';
import type { LogExpectation } from './expectations/expectation.ts';
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

/** Asserts that exactly `times` records match. @throws AssertionError */
export function assertLoggedTimes(
  logs: AssertionSubject,
  expected: LogExpectation,
  times: number,
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

type Assertion = { readonly name: string } & ((...args: never) => unknown);

function assertThat(
  logs: unknown,
  assertion: Assertion,
  prepare: () => LogAssertion,
  isNot = false,
): Promise<void> {
  const outcome = outcomeOf(logs, assertion, prepare, isNot);
  return isAssertionSubject(logs)
    ? logs[ASSERTION_TARGET].pending.watchAlone(assertion.name, outcome)
    : outcome;
}

async function outcomeOf(
  logs: unknown,
  assertion: Assertion,
  prepare: () => LogAssertion,
  isNot: boolean,
): Promise<void> {
  const subject = requireSubject(assertion.name, logs);
  const { pass, text } = await evaluate(subject, assertion.name, prepare(), { isNot, paint: NO_PAINT });
  if (pass === isNot) throw new AssertionError({ message: text, stackStartFn: assertion });
}
