import { AssertionError } from 'node:assert';
import type { LogExpectation } from './expectations/expectation.ts';
import type { LookOptions } from './looks/log-source.ts';
import {
  ask,
  type EventualLookOptions,
  type Look,
  lookEventually,
  lookForAny,
  lookForOrder,
  lookForTimes,
  requireLookable,
} from './looks/look.ts';
import { isLookable, LOOK_TARGET, type Lookable } from './looks/look-target.ts';
import { NO_PAINT } from './report/paint.ts';

/**
 * Asserts that a record matches. For runners without matchers, such as `node:test`.
 *
 * @throws AssertionError that shows the closest records
 * @throws LogOptionsException if the query is invalid
 */
export function assertLogged(logs: Lookable, expected: LogExpectation, options?: LookOptions): Promise<void> {
  return assertThat(logs, assertLogged, () => lookForAny('assertLogged', expected, options));
}

/** Asserts that no record matches. @throws AssertionError that shows the matching records */
export function assertNotLogged(
  logs: Lookable,
  expected: LogExpectation,
  options?: LookOptions,
): Promise<void> {
  return assertThat(logs, assertNotLogged, () => lookForAny('assertNotLogged', expected, options), true);
}

/** Asserts that exactly `times` records match. @throws AssertionError */
export function assertLoggedTimes(
  logs: Lookable,
  expected: LogExpectation,
  times: number,
  options?: LookOptions,
): Promise<void> {
  return assertThat(logs, assertLoggedTimes, () =>
    lookForTimes('assertLoggedTimes', expected, times, options),
  );
}

/** Asserts that records match in this order; others may come between them. @throws AssertionError */
export function assertLoggedInOrder(
  logs: Lookable,
  expected: readonly LogExpectation[],
  options?: LookOptions,
): Promise<void> {
  return assertThat(logs, assertLoggedInOrder, () => lookForOrder('assertLoggedInOrder', expected, options));
}

/** Waits until a record matches. @throws AssertionError if none does within `timeoutMs` */
export function assertEventuallyLogged(
  logs: Lookable,
  expected: LogExpectation,
  options?: EventualLookOptions,
): Promise<void> {
  return assertThat(logs, assertEventuallyLogged, () =>
    lookEventually('assertEventuallyLogged', expected, options),
  );
}

type Assertion = { readonly name: string } & ((...args: never) => unknown);

function assertThat(logs: unknown, assertion: Assertion, prepare: () => Look, isNot = false): Promise<void> {
  const outcome = outcomeOf(logs, assertion, prepare, isNot);
  return isLookable(logs) ? logs[LOOK_TARGET].looks.watchAlone(assertion.name, outcome) : outcome;
}

async function outcomeOf(
  logs: unknown,
  assertion: Assertion,
  prepare: () => Look,
  isNot: boolean,
): Promise<void> {
  const lookable = requireLookable(assertion.name, logs);
  const { pass, text } = await ask(lookable, assertion.name, prepare(), { isNot, paint: NO_PAINT });
  if (pass === isNot) throw new AssertionError({ message: text, stackStartFn: assertion });
}
