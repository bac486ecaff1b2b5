/** `logclient/testing`: assertions on logs, for vitest, Jest and `node:test`. */

// The assertions.
export {
  assertEventuallyLogged,
  assertLogged,
  assertLoggedInOrder,
  assertLoggedTimes,
  assertNotLogged,
} from './assertions.ts';
export type { LogExpectation } from './expectations/expectation.ts';
export type { AsymmetricMatcher, FieldPattern, LogFields } from './expectations/field-pattern.ts';
// The logs of a test.
export { captureLogs, type LogTest, type LogTestConnection, startLogTest } from './log-test.ts';
export type { LogTestOptions, SharedServer } from './log-test-options.ts';
export type { CapturableLogger, CaptureOptions } from './loggers/logger-capture.ts';
export type { LookOptions } from './looks/log-source.ts';
export type { EventualLookOptions } from './looks/look.ts';
export { logMatchers, type MatcherContext, type MatcherResult } from './matchers.ts';
