import pino from 'pino';
import { expect, expectTypeOf, it, type Matchers } from 'vitest';
import {
  type AssertionOptions,
  assertLogged,
  captureLogs,
  type LogTest,
  logMatchers,
} from '../../src/testing/index.ts';
import type { LogMatchers } from '../../src/testing/matcher-types.ts';
import '../../src/testing/vitest.ts';

/** Never called: only the types are checked. */
const calls = {
  logs: (logs: LogTest) => [expect(logs).toHaveLogged('a'), expect(logs).not.toHaveDropped()],
  options: (logs: LogTest) => expect(logs).toHaveLoggedTimes('a', 1, { start: '5m' }),
  // biome-ignore lint/suspicious/noExplicitAny: programs without types have it.
  any: (logs: any) => [expect(logs).toHaveLogged('a'), expect(logs).toHaveNoSecrets()],
  // @ts-expect-error: a logger has no records.
  logger: () => expect(pino()).toHaveLogged('a'),
  // @ts-expect-error: the same for a matcher without arguments.
  withoutArguments: () => expect(pino()).not.toHaveDropped(),
  // @ts-expect-error: so is the result of captureLogs() without `await`.
  promise: () => assertLogged(captureLogs(pino()), 'a'),
  // @ts-expect-error: any number of records is in this range.
  noRange: (logs: LogTest) => expect(logs).toHaveLoggedTimes('a', {}),
  extend: () => expect.extend(logMatchers),
};

/** As the types of vitest extend those of Jest, if `@types/jest` is installed. */
interface BothRunners<T> extends Matchers<T>, LogMatchers<T> {}

it('the matchers of vitest and Jest have identical types, so that a project can have both', () => {
  expectTypeOf<BothRunners<LogTest>>().toHaveProperty('toHaveLogged');
});

it('toHaveLoggedTimes accepts the same options as assertLoggedTimes', () => {
  expectTypeOf(logMatchers.toHaveLoggedTimes).parameter(3).toEqualTypeOf<AssertionOptions | undefined>();
});

it('a matcher that is called for a logger does not compile, and the type of its argument says what to write', () => {
  expect(Object.keys(calls)).toHaveLength(8);
  expectTypeOf(expect(pino()).toHaveLogged)
    .parameter(0)
    .toEqualTypeOf<'Write expect(logs) or assertLogged(logs, …) with the fixture of logTest(), or the awaited result of captureLogs(logger).'>();
});
