import { inspect } from 'node:util';
import { LogOptionsException } from '../../core/errors.ts';
import { describe, refuseUnknownOptions, requireOptions, requireText } from '../../core/option-checks.ts';
import {
  expectationText,
  type LogExpectation,
  requireArguments,
  resolveExpectation,
} from '../expectations/expectation.ts';
import { type AssertionOptions, rejectUnknownAssertionOptions } from '../log-source.ts';
import type { Paint } from '../report/paint.ts';
import { noteFailure } from '../report/test-logs.ts';
import { ASSERTION_TARGET, type AssertionTarget } from './assertion-target.ts';
import { eventually, resolveTimeout } from './eventually.ts';
import { requireEvidence } from './evidence.ts';
import { flushed } from './flushed.ts';
import { hasDropped } from './has-dropped.ts';
import { hasLogged } from './has-logged.ts';
import { type BaselineMode, hasNoNewPatterns } from './has-no-new-patterns.ts';
import { hasNoSecrets, type NoSecretsOptions, requireKeys } from './has-no-secrets.ts';
import { loggedInOrder } from './logged-in-order.ts';
import { loggedTimes, type Range, requireTimes, type Times } from './logged-times.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

/** Options of an assertion that waits. */
export interface EventualAssertionOptions extends AssertionOptions {
  /** Maximum time to wait, in milliseconds. @default 4_000, below the usual test timeout of 5 s */
  timeoutMs?: number | undefined;
  /** Number of records to wait for: exactly this many, or a range `{ min, max }`. @default at least one */
  times?: number | { readonly min?: number | undefined; readonly max?: number | undefined } | undefined;
}

/** @throws LogOptionsException for more arguments than a function has after `owner`: they would be ignored */
export function refuseMore(owner: string, args: readonly unknown[], { length }: { length: number }): void {
  const more = args.slice(Math.max(0, length - 1)).find((each) => each !== undefined);
  if (more !== undefined)
    throw new LogOptionsException(`${owner} has no such argument (got ${describe(more)} as the last one).`);
}

/** Evaluates a validated assertion. */
export type LogAssertion = (context: AssertionContext) => Promise<Verdict>;

/** @throws LogOptionsException */
export function logged(owner: string, expectation: LogExpectation, options?: AssertionOptions): LogAssertion {
  const look = matching(owner, expectation, undefined, options);
  return (context) => flushed(context, look, context.isNot);
}

/** @throws LogOptionsException */
export function times(
  owner: string,
  expectation: LogExpectation,
  times: Times,
  options?: AssertionOptions,
): LogAssertion {
  const look = matching(owner, expectation, requireTimes(owner, times), options);
  return (context) => flushed(context, look, true);
}

/** Any matching record, or a number of them. */
function matching(
  owner: string,
  expectation: LogExpectation,
  range: Range | undefined,
  options: AssertionOptions = {},
  ownOptions?: readonly string[],
): LogAssertion {
  rejectUnknownAssertionOptions(owner, options, ownOptions);
  const resolved = resolveExpectation(owner, expectation);
  requireArguments(owner, [resolved], options.arguments);
  return (context) =>
    range === undefined
      ? hasLogged(context, resolved, options)
      : loggedTimes(context, resolved, range, options);
}

/** @throws LogOptionsException */
export function order(
  owner: string,
  expectations: readonly LogExpectation[],
  given?: AssertionOptions,
): LogAssertion {
  const options = given === undefined ? {} : given;
  rejectUnknownAssertionOptions(owner, options);
  if (!Array.isArray(expectations) || expectations.length === 0) {
    const got = Array.isArray(expectations) ? 'an empty array' : describe(expectations);
    throw new LogOptionsException(`${owner} expects an array of queries or objects of fields (got ${got}).`);
  }
  const resolved = expectations.map((expectation) => resolveExpectation(owner, expectation));
  requireArguments(owner, resolved, options.arguments);
  const look: LogAssertion = (context) => loggedInOrder(context, resolved, options);
  return (context) => flushed(context, look, context.isNot);
}

/** @throws LogOptionsException */
export function eventual(
  owner: string,
  expectation: LogExpectation,
  given?: EventualAssertionOptions,
): LogAssertion {
  const options = given === undefined ? {} : given;
  requireOptions(owner, options);
  const { timeoutMs, times, ...others } = options;
  const range = times === undefined ? undefined : requireTimes(owner, times);
  if (range?.min === 0)
    throw new LogOptionsException(
      `${owner}: "times" must be a whole number of at least 1, or a range above 0 (got ${inspect(times)}): it would not wait.`,
    );
  const look = matching(owner, expectation, range, others, ['timeoutMs', 'times']);
  const limitMs = resolveTimeout(owner, timeoutMs);
  return (context) => eventually(context, look, limitMs);
}

/** Whether a captured or tracked logger has dropped records. */
export const dropped: LogAssertion = (context) => flushed(context, hasDropped, context.isNot);

/** @throws LogOptionsException */
export function noSecrets(owner: string, given?: NoSecretsOptions): LogAssertion {
  const options = given === undefined ? {} : given;
  refuseUnknownOptions(owner, options, ['keys']);
  requireKeys(owner, options.keys);
  return (context) => flushed(context, (all) => hasNoSecrets(all, options), true);
}

/** @throws LogOptionsException */
export function noNewPatterns(owner: string, file: string, mode: BaselineMode): LogAssertion {
  requireText(owner, 'baseline', file);
  return (context) => flushed(context, (all) => hasNoNewPatterns(all, file, mode), true);
}

/** How an assertion is named and formatted. */
export interface AssertionStyle {
  /** The assertion, as the test calls it. */
  readonly name: string;
  /** Stack frames of the call. */
  readonly frames: string;
  readonly isNot: boolean;
  readonly paint: Paint;
}

/**
 * Evaluates an assertion and explains its failure; the text is empty if it passes.
 *
 * @param received must be the result of `startLogTest()`
 * @throws LogOptionsException, LogException
 */
export async function evaluate(
  received: unknown,
  assertion: LogAssertion,
  { name, frames, isNot, paint }: AssertionStyle,
): Promise<{ readonly pass: boolean; readonly text: string }> {
  const { pending, ...target } = requireTarget(name, received);
  return pending.run(name, frames, async (isOver) => {
    const verdict = await assertion({ ...target, isNot, paint, isOver });
    const isMet = verdict.pass !== isNot;
    const isAbsence = verdict.expectation === undefined || verdict.searched !== undefined;
    if (isMet && isAbsence) await requireEvidence(target, verdict);
    if (isMet) return { pass: verdict.pass, text: '' };
    pending.haveFailed = true;
    const { mask } = target.source;
    const text = mask.text((await verdict.explain()).join('\n').trimEnd());
    const query = verdict.expectation === undefined ? '' : expectationText(verdict.expectation);
    noteFailure({ text, expectation: mask.text(query) === query ? verdict.expectation : undefined });
    return { pass: verdict.pass, text };
  });
}

function requireTarget(owner: string, value: unknown): AssertionTarget {
  const target: AssertionTarget | undefined = Object(value)[ASSERTION_TARGET];
  if (target !== undefined) return target;
  if (isLogger(value)) {
    throw new LogOptionsException(
      `${owner} can't read from a logger: pass "logs", the result of startLogTest() or captureLogs().`,
    );
  }
  throw new LogOptionsException(
    `${owner} expects the result of startLogTest() or captureLogs() (got ${describe(value)}). Both return a promise: add \`await\`.`,
  );
}

function isLogger(value: unknown): boolean {
  return ['info', 'error'].every((name) => typeof Object(value)[name] === 'function');
}
