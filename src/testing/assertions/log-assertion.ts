import { LogOptionsException } from '../../errors.ts';
import { describe } from '../../internal/option-checks.ts';
import { type LogExpectation, resolveExpectation } from '../expectations/expectation.ts';
import type { Paint } from '../report/paint.ts';
import { ASSERTION_TARGET, type AssertionSubject, isAssertionSubject } from './assertion-target.ts';
import { eventually, resolveTimeout } from './eventually.ts';
import { flushed } from './flushed.ts';
import { hasLogged } from './has-logged.ts';
import { type AssertionOptions, rejectUnknownAssertionOptions } from './log-source.ts';
import { loggedInOrder } from './logged-in-order.ts';
import { loggedTimes, requireTimes } from './logged-times.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

/** Options of an assertion that waits. */
export interface EventualAssertionOptions extends AssertionOptions {
  /** Maximum time to wait, in milliseconds. @default 4_000, below the usual test timeout of 5 s */
  timeoutMs?: number | undefined;
  /** Exact number of records to wait for. @default at least one */
  times?: number | undefined;
}

/** A question that is checked, and can be asked. */
export type LogAssertion = (context: AssertionContext) => Promise<Verdict>;

/** @throws LogOptionsException */
export function loggedAssertion(
  owner: string,
  expectation: LogExpectation,
  options: AssertionOptions = {},
): LogAssertion {
  rejectUnknownAssertionOptions(owner, options);
  const resolved = resolveExpectation(owner, expectation);
  const look: LogAssertion = (context) => hasLogged(context, resolved, options);
  return (context) => flushed(context, look, context.isNot);
}

/** @throws LogOptionsException */
export function timesAssertion(
  owner: string,
  expectation: LogExpectation,
  times: number,
  options: AssertionOptions = {},
): LogAssertion {
  rejectUnknownAssertionOptions(owner, options);
  const resolved = resolveExpectation(owner, expectation);
  requireTimes(owner, times);
  const look: LogAssertion = (context) => loggedTimes(context, resolved, times, options);
  return (context) => flushed(context, look, true);
}

/** @throws LogOptionsException */
export function orderAssertion(
  owner: string,
  expectations: readonly LogExpectation[],
  options: AssertionOptions = {},
): LogAssertion {
  rejectUnknownAssertionOptions(owner, options);
  if (!Array.isArray(expectations) || expectations.length === 0) {
    const got = Array.isArray(expectations) ? 'an empty array' : describe(expectations);
    throw new LogOptionsException(`${owner} expects an array of queries or objects of fields (got ${got}).`);
  }
  const resolved = expectations.map((expectation) => resolveExpectation(owner, expectation));
  const look: LogAssertion = (context) => loggedInOrder(context, resolved, options);
  return (context) => flushed(context, look, context.isNot);
}

/** @throws LogOptionsException */
export function eventualAssertion(
  owner: string,
  expectation: LogExpectation,
  { timeoutMs, times, ...options }: EventualAssertionOptions = {},
): LogAssertion {
  rejectUnknownAssertionOptions(owner, options, ['timeoutMs', 'times']);
  const resolved = resolveExpectation(owner, expectation);
  const limitMs = resolveTimeout(owner, timeoutMs);
  const wanted = times === undefined ? undefined : requireTimes(owner, times);
  const look: LogAssertion = (context) =>
    wanted === undefined
      ? hasLogged(context, resolved, options)
      : loggedTimes(context, resolved, wanted, options);
  return (context) => eventually(context, look, limitMs);
}

/**
 * Asks, and says why the answer is a failure; the text is empty when it is none.
 *
 * @param name what is asked, as the test calls it.
 */
export function evaluate(
  subject: AssertionSubject,
  name: string,
  look: LogAssertion,
  { isNot, paint }: { readonly isNot: boolean; readonly paint: Paint },
): Promise<{ readonly pass: boolean; readonly text: string }> {
  const { source, pending, hints, undelivered } = subject[ASSERTION_TARGET];
  return pending.run(name, async () => {
    const verdict = await look({ source, isNot, paint, hints, undelivered, isOver: () => pending.isOver });
    const isFailure = verdict.pass === isNot;
    return { pass: verdict.pass, text: isFailure ? (await verdict.explain()).join('\n').trimEnd() : '' };
  });
}

/** @throws LogOptionsException unless it is something to look at. */
export function requireSubject(owner: string, value: unknown): AssertionSubject {
  if (isAssertionSubject(value)) return value;
  throw new LogOptionsException(
    `${owner} expects the result of startLogTest() or captureLogs() (got ${describe(value)}). Both return a promise: add \`await\`.`,
  );
}
