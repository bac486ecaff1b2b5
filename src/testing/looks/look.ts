import { LogOptionsException } from '../../errors.ts';
import { describe } from '../../internal/option-checks.ts';
import { type LogExpectation, resolveExpectation } from '../expectations/expectation.ts';
import type { Paint } from '../report/paint.ts';
import { eventually, resolveTimeout } from './eventually.ts';
import { flushed } from './flushed.ts';
import { hasLogged } from './has-logged.ts';
import { type LookOptions, refuseUnknownLookOptions } from './log-source.ts';
import { loggedInOrder } from './logged-in-order.ts';
import { loggedTimes, requireTimes } from './logged-times.ts';
import { isLookable, LOOK_TARGET, type Lookable } from './look-target.ts';
import type { LookContext, Verdict } from './verdict.ts';

/** Options of an assertion that waits. */
export interface EventualLookOptions extends LookOptions {
  /** Maximum time to wait, in milliseconds. @default 4_000, below the usual test timeout of 5 s */
  timeoutMs?: number | undefined;
  /** Number of records to wait for, exactly. @default at least one */
  times?: number | undefined;
}

/** A question that is checked, and can be asked. */
export type Look = (context: LookContext) => Promise<Verdict>;

/** @throws LogOptionsException */
export function lookForAny(owner: string, expectation: LogExpectation, options: LookOptions = {}): Look {
  refuseUnknownLookOptions(owner, options);
  const resolved = resolveExpectation(owner, expectation);
  const look: Look = (context) => hasLogged(context, resolved, options);
  return (context) => flushed(context, look, context.isNot);
}

/** @throws LogOptionsException */
export function lookForTimes(
  owner: string,
  expectation: LogExpectation,
  times: number,
  options: LookOptions = {},
): Look {
  refuseUnknownLookOptions(owner, options);
  const resolved = resolveExpectation(owner, expectation);
  requireTimes(owner, times);
  const look: Look = (context) => loggedTimes(context, resolved, times, options);
  return (context) => flushed(context, look, true);
}

/** @throws LogOptionsException */
export function lookForOrder(
  owner: string,
  expectations: readonly LogExpectation[],
  options: LookOptions = {},
): Look {
  refuseUnknownLookOptions(owner, options);
  if (!Array.isArray(expectations) || expectations.length === 0) {
    const got = Array.isArray(expectations) ? 'an empty array' : describe(expectations);
    throw new LogOptionsException(`${owner} expects an array of queries or objects of fields (got ${got}).`);
  }
  const resolved = expectations.map((expectation) => resolveExpectation(owner, expectation));
  const look: Look = (context) => loggedInOrder(context, resolved, options);
  return (context) => flushed(context, look, context.isNot);
}

/** @throws LogOptionsException */
export function lookEventually(
  owner: string,
  expectation: LogExpectation,
  { timeoutMs, times, ...options }: EventualLookOptions = {},
): Look {
  refuseUnknownLookOptions(owner, options, ['timeoutMs', 'times']);
  const resolved = resolveExpectation(owner, expectation);
  const limitMs = resolveTimeout(owner, timeoutMs);
  const wanted = times === undefined ? undefined : requireTimes(owner, times);
  const look: Look = (context) =>
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
export function ask(
  lookable: Lookable,
  name: string,
  look: Look,
  { isNot, paint }: { readonly isNot: boolean; readonly paint: Paint },
): Promise<{ readonly pass: boolean; readonly text: string }> {
  const { source, looks, hints, undelivered } = lookable[LOOK_TARGET];
  return looks.run(name, async () => {
    const verdict = await look({ source, isNot, paint, hints, undelivered, isOver: () => looks.isOver });
    const isFailure = verdict.pass === isNot;
    return { pass: verdict.pass, text: isFailure ? (await verdict.explain()).join('\n').trimEnd() : '' };
  });
}

/** @throws LogOptionsException unless it is something to look at. */
export function requireLookable(owner: string, value: unknown): Lookable {
  if (isLookable(value)) return value;
  throw new LogOptionsException(
    `${owner} expects the result of startLogTest() or captureLogs() (got ${describe(value)}). Both return a promise: add \`await\`.`,
  );
}
