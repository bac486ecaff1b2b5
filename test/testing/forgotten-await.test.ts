import { stripVTControlCharacters } from 'node:util';
import pino from 'pino';
import { expect as chai, describe, it } from 'vitest';
import type { LogException } from '../../src/index.ts';
import {
  assertLogged,
  assertNotLogged,
  type LogTest,
  logMatchers,
  startLogTest,
} from '../../src/testing/index.ts';
import { beginTest, endTest, failForgotten } from '../../src/testing/report/test-logs.ts';
import { log } from './log.ts';

interface Looks {
  toHaveLogged(expected: unknown): Promise<void>;
  readonly not: { toHaveLogged(expected: unknown): Promise<void> };
}

chai.extend(logMatchers);
const expect = (logs: LogTest): Looks => chai(logs) as unknown as Looks;

/** A runner of the kind that adds a step to the promise before the test gets it. */
function inTwoSteps(logs: LogTest, expected: string): Promise<void> {
  return logMatchers.toHaveLogged
    .call({ isNot: false, utils: {} }, logs, expected)
    .then(({ pass, message }) => {
      if (!pass) throw new Error(message());
    })
    .catch((error: unknown) => {
      throw error;
    });
}

const settled = (logs: LogTest): Promise<unknown> => logs.records();

describe('a matcher whose await was forgotten', () => {
  it('fails the test with its own message when it has failed, and is no unhandled rejection', async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', onUnhandled);
    try {
      for (const forget of [
        (logs: LogTest) => expect(logs).toHaveLogged('level=fatal'),
        (logs: LogTest) => inTwoSteps(logs, 'level=fatal'),
      ]) {
        const logs = await startLogTest();
        await log(logs, [{ level: 'info' }]);
        void forget(logs);
        await settled(logs);
        const error = await logs.close().catch((thrown: LogException) => thrown);
        chai(error).toMatchObject({
          code: 'LOG_NOT_AWAITED',
          stack: chai.stringContaining('forgotten-await.test.ts'),
        });
        chai(stripVTControlCharacters(String(error))).toMatch(
          /No record matches:\n {2}level=fatal\n.*level is info\n\n`toHaveLogged\(\)` returns a promise: add `await`\.$/s,
        );
      }
      await new Promise((resolve) => setImmediate(resolve));
      chai(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', onUnhandled);
    }
  });

  it('fails the test as well when it has passed', async () => {
    const logs = await startLogTest();
    void expect(logs).not.toHaveLogged('*');
    await settled(logs);
    await chai(logs.close()).rejects.toThrow(/^`toHaveLogged\(\)` returns a promise: add `await`\.$/);
  });

  it('fails the test that forgot it where the logs are open for more tests, and only that one', async () => {
    await using logs = await startLogTest();
    await beginTest();
    void expect(logs).toHaveLogged('level=fatal');
    await chai(failForgotten()).rejects.toThrow('level=fatal');
    endTest();
    await beginTest();
    await expect(logs).not.toHaveLogged('level=fatal');
    await failForgotten();
    endTest();
  });

  it('is none that is awaited later, together with others, or handled', async () => {
    const logs = await startLogTest();
    const later = expect(logs).not.toHaveLogged('*');
    await Promise.all([expect(logs).not.toHaveLogged('*'), inTwoSteps(logs, '*').catch(() => {})]);
    await later;
    await chai(inTwoSteps(logs, 'x')).rejects.toThrow('No record');
    await logs.close();
  });
});

describe('an assertion whose await was forgotten', () => {
  it('is told when the logs are closed, though it has passed', async () => {
    const logs = await startLogTest();
    void assertNotLogged(logs, 'level=fatal');
    await settled(logs);
    await chai(logs.close()).rejects.toMatchObject({
      code: 'LOG_NOT_AWAITED',
      message: chai.stringMatching(/^`assertNotLogged\(\)` returns a promise: add `await`\.$/),
      stack: chai.stringContaining('forgotten-await.test.ts'),
    });
  });

  it('is none that is awaited later, together with others, or handled, in whatever way', async () => {
    const logs = await startLogTest();
    const later = assertNotLogged(logs, '*');
    await Promise.all([assertNotLogged(logs, '*'), assertLogged(logs, '*').catch(() => {})]);
    await new Promise<void>((resolve, reject) => {
      assertNotLogged(logs, '*').then(() => resolve(), reject);
    });
    await assertNotLogged(logs, '*').finally(() => {});
    await later;
    await logs.close();
  });
});

describe('a log test that is closed', () => {
  it('says so, whatever it is asked', async () => {
    const logs = await startLogTest();
    await logs.close();
    const message = (name: string): string =>
      `\`${name}()\` was called after logs.close(), which deletes the records.`;
    await chai(expect(logs).toHaveLogged('*')).rejects.toThrow(message('toHaveLogged'));
    await chai(logs.records()).rejects.toThrow(message('records'));
    await chai(logs.flush()).rejects.toThrow(message('flush'));
    chai(() => logs.capture(pino({ level: 'silent' }))).toThrow(message('capture'));
    chai(() => logs.track({})).toThrow(message('track'));
  });
});
