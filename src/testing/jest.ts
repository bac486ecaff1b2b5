/**
 * `logclient/testing/jest`: registers the matchers and prints the logs of failed tests. For `setupFilesAfterEnv`.
 */
import { afterEach, expect } from '@jest/globals';
import type { LogMatchers } from './matcher-types.ts';
import { logMatchers } from './matchers.ts';
import { beginTest, describeTestLogs, endTest, failForgotten } from './report/test-logs.ts';

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends LogMatchers<T, R> {}
}

declare global {
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: as @types/jest declares it, or the two don't merge.
    interface Matchers<R, T = {}> extends LogMatchers<T, R> {}
  }
}

/** What Jest's runner tells those who listen. */
interface JestEvent {
  readonly name: string;
  readonly test?: { readonly name: string; readonly errors: readonly unknown[] };
}

/** Where Jest's runner keeps its listeners. Another runner has none there; the matchers work all the same. */
const LISTENERS = Symbol.for('EVENT_HANDLERS');

expect.extend(logMatchers);

afterEach(failForgotten);

(globalThis as { [LISTENERS]?: ((event: JestEvent) => unknown)[] })[LISTENERS]?.push(({ name, test }) => {
  if (name === 'test_start') return beginTest();
  if (name !== 'test_done' || test === undefined) return undefined;
  endTest();
  return test.errors.length > 0 ? printLogs(test.name) : undefined;
});

async function printLogs(testName: string): Promise<void> {
  const text = await describeTestLogs(testName);
  // Jest's console would add the place of this line.
  if (text !== undefined) process.stderr.write(`\n${text}\n\n`);
}
