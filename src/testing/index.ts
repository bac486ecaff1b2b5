/** `logclient/testing`: assertions on logs, for vitest, Jest and `node:test`. */

export type { NoSecretsOptions } from './assertions/has-no-secrets.ts';
export type { EventualAssertionOptions } from './assertions/log-assertion.ts';
export type { Times } from './assertions/logged-times.ts';
// The assertions.
export {
  assertEventuallyLogged,
  assertLogged,
  assertLoggedInOrder,
  assertLoggedTimes,
  assertNoNewPatterns,
  assertNoSecrets,
  assertNothingDropped,
  assertNotLogged,
  type RunningTest,
} from './assertions.ts';
// The logs of a test.
export type { LogExpectation } from './expectations/expectation.ts';
export type { AsymmetricMatcher, FieldPattern, LogFields } from './expectations/field-pattern.ts';
export type { LoggedRecord } from './expectations/logged-fields.ts';
export type { AssertionOptions } from './log-source.ts';
export { captureLogs, type LogTest, type LogTestConnection, startLogTest } from './log-test.ts';
export type { LogTestOptions, SharedServer } from './log-test-options.ts';
export type { CapturableLogger, CaptureOptions } from './loggers/logger-capture.ts';
export { logMatchers, type MatcherContext, type MatcherResult } from './matchers.ts';
export { type HtmlReportOptions, writeHtmlReport } from './report/html-report.ts';
export { configureLogTests, type LogTestSettings } from './report/test-logs.ts';
