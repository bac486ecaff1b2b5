/** `logclient/testing/jest`: registers the matchers and prints the logs of failed tests. For `setupFilesAfterEnv`. */
import { afterEach, expect } from '@jest/globals';
import { LogOptionsException } from '../core/errors.ts';
import type { LogMatchers } from './matcher-types.ts';
import { logMatchers } from './matchers.ts';
import { beginTest, describeTestLogs, endTest, type ReportedTest } from './report/test-logs.ts';

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends LogMatchers<T, R> {}
}

declare global {
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: as @types/jest declares it, or the two don't merge.
    interface Matchers<R, T = {}> extends LogMatchers<T, R> {}
  }
}

type JestTest = Omit<Required<ReportedTest>, 'id'>;

/** An event of Jest's runner. */
interface JestEvent {
  readonly name: string;
  readonly test?: JestTest;
}

/** Where Jest's default runner stores its listeners. With other runners, only the matchers work. */
const LISTENERS = Symbol.for('EVENT_HANDLERS');

if (expect === undefined)
  throw new LogOptionsException(
    'Move logclient/testing/jest from "setupFiles" to "setupFilesAfterEnv" in the configuration of Jest: it needs expect().',
  );
expect.extend(logMatchers);

let running: Pick<JestTest, 'concurrent'> = { concurrent: false };

afterEach(() => endTest(running));

(globalThis as { [LISTENERS]?: ((event: JestEvent) => unknown)[] })[LISTENERS]?.push(
  async ({ name, test }) => {
    if (name === 'test_start' && test !== undefined) {
      running = test;
      await beginTest(test);
    }
    if (name !== 'test_done' || test === undefined || test.errors!.length === 0) return;
    const text = await describeTestLogs({ ...test, id: test.name });
    // Jest's console would add a location.
    if (text !== undefined) process.stderr.write(`\n${text}\n\n`);
  },
);
