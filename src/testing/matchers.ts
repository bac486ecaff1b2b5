import { LogOptionsException } from '../errors.ts';
import { ASSERTION_TARGET, isAssertionSubject } from './assertions/assertion-target.ts';
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
import type { PendingAssertions } from './assertions/pending-assertions.ts';
import type { LogExpectation } from './expectations/expectation.ts';
import { NO_PAINT, type Paint } from './report/paint.ts';

/** The parts of a matcher's `this` in vitest, Jest and Bun that the matchers use. */
export interface MatcherContext {
  readonly isNot?: boolean | undefined;
  readonly utils?: {
    matcherHint?(name: string, received?: string, expected?: string, options?: { isNot?: boolean }): string;
    EXPECTED_COLOR?(text: string): string;
    RECEIVED_COLOR?(text: string): string;
  };
}

/** The result of a matcher. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/**
 * Matchers for `expect.extend()` of vitest and Jest. All flush the loggers first and return a promise.
 * `logclient/testing/vitest` and `logclient/testing/jest` register them.
 */
export const logMatchers = {
  toHaveLogged(
    this: MatcherContext,
    received: unknown,
    expected: LogExpectation,
    options?: AssertionOptions,
  ): Promise<MatcherResult> {
    const name = 'toHaveLogged';
    return judge(this, name, 'expected', received, () => loggedAssertion(name, expected, options));
  },

  toHaveLoggedTimes(
    this: MatcherContext,
    received: unknown,
    expected: LogExpectation,
    times: number,
    options?: AssertionOptions,
  ): Promise<MatcherResult> {
    const name = 'toHaveLoggedTimes';
    return judge(this, name, `expected, ${times}`, received, () =>
      timesAssertion(name, expected, times, options),
    );
  },

  toHaveLoggedInOrder(
    this: MatcherContext,
    received: unknown,
    expected: readonly LogExpectation[],
    options?: AssertionOptions,
  ): Promise<MatcherResult> {
    const name = 'toHaveLoggedInOrder';
    return judge(this, name, '[…]', received, () => orderAssertion(name, expected, options));
  },

  toEventuallyHaveLogged(
    this: MatcherContext,
    received: unknown,
    expected: LogExpectation,
    options?: EventualAssertionOptions,
  ): Promise<MatcherResult> {
    const name = 'toEventuallyHaveLogged';
    return judge(this, name, 'expected', received, () => {
      if (this.isNot !== true) return eventualAssertion(name, expected, options);
      throw new LogOptionsException(
        `not.${name} is not supported: it would wait forever. Wait for the last expected record, then use "await expect(logs).not.toHaveLogged(…)".`,
      );
    });
  },
};

/** @param prepare makes the look; what it throws is the outcome. */
function judge(
  context: MatcherContext,
  name: string,
  argument: string,
  received: unknown,
  prepare: () => LogAssertion,
): Promise<MatcherResult> {
  const judging = judgeNow(context, name, argument, received, prepare);
  // Nobody but a runner makes something else of the result.
  if (context.utils === undefined || !isAssertionSubject(received)) return judging;
  return withWatchedThen(name, judging, received[ASSERTION_TARGET].pending);
}

async function judgeNow(
  { isNot = false, utils }: MatcherContext,
  name: string,
  argument: string,
  received: unknown,
  prepare: () => LogAssertion,
): Promise<MatcherResult> {
  const look = prepare();
  const subject = requireSubject(name, received);
  const { pass, text } = await evaluate(subject, name, look, { isNot, paint: paintOf(utils) });
  const hint =
    utils?.matcherHint?.(name, 'logs', argument, { isNot }) ??
    `expect(logs)${isNot ? '.not' : ''}.${name}(${argument})`;
  return { pass, message: () => `${hint}\n\n${text}` };
}

/** What the runner derives is what the test gets, and has to await. */
function withWatchedThen<Result>(
  name: string,
  promise: Promise<Result>,
  pending: PendingAssertions,
): Promise<Result> {
  const derive = promise.then.bind(promise);
  const watchedThen: typeof derive = (onFulfilled, onRejected) =>
    pending.watch(name, derive(onFulfilled, onRejected));
  // biome-ignore lint/suspicious/noThenProperty: the runner calls it once, and gives the test what comes of it.
  return Object.assign(promise, { then: watchedThen });
}

function paintOf(utils: MatcherContext['utils']): Paint {
  return {
    expected: utils?.EXPECTED_COLOR ?? NO_PAINT.expected,
    wrong: utils?.RECEIVED_COLOR ?? NO_PAINT.wrong,
  };
}
