import { inspect } from 'node:util';
import { withCallerFrames } from './assertions/caller-frames.ts';
import type { BaselineMode } from './assertions/has-no-new-patterns.ts';
import * as assertions from './assertions/log-assertion.ts';
import type { LogAssertion } from './assertions/verdict.ts';
import type { Paint } from './report/paint.ts';

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

type Matcher<Arguments extends unknown[]> = (
  this: MatcherContext,
  received: unknown,
  ...args: Arguments
) => Promise<MatcherResult>;

/** @param argument what the hint of a failure shows in the parentheses */
function matcher<Arguments extends unknown[]>(
  name: string,
  argument: string | ((...args: Arguments) => string),
  prepare: (this: MatcherContext, owner: string, ...args: Arguments) => LogAssertion,
): Matcher<Arguments> {
  const match: Matcher<Arguments> = function (received, ...args) {
    const { isNot = false, utils } = this;
    return withCallerFrames(match, async (frames) => {
      // As methods: those of Bun need their object.
      const paint: Paint = {
        expected: (text) => utils?.EXPECTED_COLOR?.(text) ?? text,
        wrong: (text) => utils?.RECEIVED_COLOR?.(text) ?? text,
      };
      const own = prepare.bind(this);
      const { pass, text } = await assertions.evaluate(name, frames, received, own, args, { isNot, paint });
      const shown = typeof argument === 'string' ? argument : argument(...args);
      const hint =
        utils?.matcherHint?.(name, 'logs', shown, { isNot }) ??
        `expect(logs)${isNot ? '.not' : ''}.${name}(${shown})`;
      return { pass, message: () => `${hint}: ${text}` };
    });
  };
  return match;
}

/**
 * Matchers for `expect.extend()` of vitest and Jest. All flush the loggers first and return a promise.
 * `logclient/testing/vitest` and `logclient/testing/jest` register them.
 */
export const logMatchers = {
  toHaveLogged: matcher('toHaveLogged', 'expected', assertions.logged),
  toHaveLoggedTimes: matcher(
    'toHaveLoggedTimes',
    (...[, times]) => `expected, ${inspect(times)}`,
    assertions.times,
  ),
  toHaveLoggedInOrder: matcher('toHaveLoggedInOrder', '[…]', assertions.order),
  toEventuallyHaveLogged: matcher('toEventuallyHaveLogged', 'expected', assertions.eventual),
  toHaveDropped: matcher('toHaveDropped', '', () => assertions.dropped),
  toHaveNoSecrets: matcher('toHaveNoSecrets', '', assertions.noSecrets),
  toHaveNoNewPatterns: matcher('toHaveNoNewPatterns', 'baseline', function (name, baseline: string) {
    const { testPath, currentTestName: testName, snapshotState } = this;
    const { _updateSnapshot: writes }: { readonly _updateSnapshot?: BaselineMode['writes'] } =
      snapshotState ?? {};
    return assertions.noNewPatterns(name, baseline, { testPath, testName, writes });
  }),
};
