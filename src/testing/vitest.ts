/**
 * `logclient/testing/vitest`: registers the matchers and prints the logs of failed tests. For `setupFiles`.
 *
 * ```ts
 * import { logTest as test } from 'logclient/testing/vitest';
 *
 * test('logs a failed payment', async ({ logs }) => {
 *   logs.capture(logger);
 *   …
 *   await expect(logs).toHaveLogged('level=error name=payments');
 * });
 * ```
 */
import { afterEach, beforeEach, expect, type TestAPI, test } from 'vitest';
import { ASSERTION_TARGET } from './assertions/verdict.ts';
import { type LogTest, startLogTest } from './log-test.ts';
import type { LogMatchers } from './matcher-types.ts';
import { logMatchers } from './matchers.ts';
import { beginTest, describeTestLogs, endTest, noteLogTest } from './report/test-logs.ts';

declare module 'vitest' {
  // biome-ignore-start lint/suspicious/noExplicitAny: as vitest declares it, or the two don't merge.
  interface Matchers<T = any> extends LogMatchers<T> {}
  // biome-ignore-end lint/suspicious/noExplicitAny: as vitest declares it, or the two don't merge.
}

expect.extend(logMatchers);

beforeEach(async ({ task, onTestFailed }) => {
  await beginTest(task);
  onTestFailed(async () => {
    const { id, name, concurrent, result } = task;
    const text = await describeTestLogs({ id, name, concurrent, errors: result?.errors });
    // biome-ignore lint/suspicious/noConsole: vitest shows with the test what is written there.
    if (text !== undefined) console.error(text);
  });
});

afterEach(({ task }) => endTest(task));

/** vitest's `test` with the fixture `logs`: a {@link LogTest} for each test. */
export const logTest: TestAPI<{ logs: LogTest }> = test.extend<{ logs: LogTest }>({
  logs: async ({ task }, use) => {
    const logs = await startLogTest();
    noteLogTest(logs[ASSERTION_TARGET], task.id);
    await use(logs);
    await logs.close();
  },
});
