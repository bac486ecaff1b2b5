import { basename, dirname } from 'node:path';
import { inspect } from 'node:util';
import { LogOptionsException } from '../core/errors.ts';
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
import { NO_PAINT, type Paint } from './report/paint.ts';

/** The parts of a matcher's `this` in vitest, Jest and Bun that the matchers use. */
export interface MatcherContext {
  readonly isNot?: boolean | undefined;
  readonly testPath?: string | undefined;
  readonly currentTestName?: string | undefined;
  readonly snapshotState?: object | undefined;
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
    return judge(this, logMatchers[name], 'expected', received, () =>
      loggedAssertion(name, expected, options),
    );
  },

  toHaveLoggedTimes(
    this: MatcherContext,
    received: unknown,
    expected: LogExpectation,
    times: Times,
    options?: AssertionOptions,
  ): Promise<MatcherResult> {
    const name = 'toHaveLoggedTimes';
    return judge(this, logMatchers[name], `expected, ${inspect(times)}`, received, () =>
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
    return judge(this, logMatchers[name], '[…]', received, () => orderAssertion(name, expected, options));
  },

  toEventuallyHaveLogged(
    this: MatcherContext,
    received: unknown,
    expected: LogExpectation,
    options?: EventualAssertionOptions,
  ): Promise<MatcherResult> {
    const name = 'toEventuallyHaveLogged';
    return judge(this, logMatchers[name], 'expected', received, () => {
      if (this.isNot !== true) return eventualAssertion(name, expected, options);
      throw new LogOptionsException(
        `not.${name} is not supported: it would wait forever. Wait for the last expected record, then use "await expect(logs).not.toHaveLogged(…)".`,
      );
    });
  },

  toHaveDropped(this: MatcherContext, received: unknown): Promise<MatcherResult> {
    return judge(this, logMatchers.toHaveDropped, '', received, () => droppedAssertion);
  },

  toHaveNoSecrets(
    this: MatcherContext,
    received: unknown,
    options?: NoSecretsOptions,
  ): Promise<MatcherResult> {
    const name = 'toHaveNoSecrets';
    return judge(this, logMatchers[name], '', received, () => noSecretsAssertion(name, options));
  },

  toHaveNoNewPatterns(this: MatcherContext, received: unknown, baseline: string): Promise<MatcherResult> {
    const name = 'toHaveNoNewPatterns';
    return judge(this, logMatchers[name], 'baseline', received, () =>
      noNewPatternsAssertion(name, baseline, baselineMode(this)),
    );
  },
};

function judge(
  { isNot = false, utils }: MatcherContext,
  callee: { readonly name: string },
  argument: string,
  received: unknown,
  prepare: () => LogAssertion,
): Promise<MatcherResult> {
  const { name } = callee;
  return withCallerFrames(callee, async (frames) => {
    const style = { name, frames, isNot, paint: paintOf(utils) };
    const { pass, text } = await evaluate(received, prepare(), style);
    const hint =
      utils?.matcherHint?.(name, 'logs', argument, { isNot }) ??
      `expect(logs)${isNot ? '.not' : ''}.${name}(${argument})`;
    return { pass, message: () => `${hint}\n\n${text}` };
  });
}

function baselineMode({ testPath, currentTestName = '', snapshotState }: MatcherContext): BaselineMode {
  const state = snapshotState as { readonly _updateSnapshot?: BaselineMode['writes'] } | undefined;
  return {
    folder: testPath === undefined ? process.cwd() : dirname(testPath),
    test: `${basename(testPath ?? '')} > ${currentTestName}`,
    writes: state?._updateSnapshot ?? (process.env.CI ? 'none' : 'new'),
  };
}

function paintOf(utils: MatcherContext['utils']): Paint {
  return {
    expected: utils?.EXPECTED_COLOR ?? NO_PAINT.expected,
    wrong: utils?.RECEIVED_COLOR ?? NO_PAINT.wrong,
  };
}
