import { setImmediate } from 'node:timers/promises';
import pino from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  assertLogged,
  assertNotLogged,
  captureLogs,
  logMatchers,
  startLogTest,
} from '../../src/testing/index.ts';
import { endTest, forgetLogTest, noteLogTest } from '../../src/testing/report/test-logs.ts';

describe('A missing await', () => {
  it('fails the test at its end with an error that points to the assertion', async () => {
    const logs = await startLogTest();
    void assertNotLogged(logs, 'level=fatal');
    void logMatchers.toHaveLogged.call({}, logs, '*');
    await expect(logs.close()).rejects.toMatchObject({
      code: 'LOG_NOT_AWAITED',
      message:
        'Still running when the test ended: `assertNotLogged()`, `toHaveLogged()`. Add `await`; if it is there, the test timed out.',
      stack: expect.stringMatching(/timed out\.\n +at .*forgotten-await\.test\.ts:\d+:\d+/),
    });
  });

  it('is reported once: the promise of an assertion that was running at the end of the test never settles', async () => {
    const logs = await startLogTest();
    const settled = vi.fn();
    assertLogged(logs, 'level=fatal').then(settled, settled);
    logMatchers.toHaveLogged.call({}, logs, 'level=fatal').then(settled, settled);
    await expect(logs.close()).rejects.toMatchObject({ code: 'LOG_NOT_AWAITED' });
    await setImmediate();
    expect(settled).not.toHaveBeenCalled();
  });

  it('fails the test of a setup file before the logs are closed, but no concurrent one', async () => {
    const other = {
      source: { records: async () => [] } as never,
      pending: { endTest: () => setImmediate() },
    };
    noteLogTest(other);
    const logs = await captureLogs(pino());
    onTestFinished(() => logs.close());
    onTestFinished(() => forgetLogTest(other.source));
    const later = logMatchers.toHaveDropped.call({ isNot: true }, logs);
    await endTest({ concurrent: true });
    await later;
    void logMatchers.toHaveDropped.call({ isNot: true }, logs);
    await expect(endTest({})).rejects.toMatchObject({ code: 'LOG_NOT_AWAITED' });
    await endTest({});
    await logMatchers.toHaveDropped.call({ isNot: true }, logs);
  });

  it('is not reported for assertions that are awaited later, together, or with a handler', async () => {
    const logs = await captureLogs(pino());
    const later = assertNotLogged(logs, '*');
    await Promise.all([assertNotLogged(logs, '*'), assertNotLogged(logs, '*').finally(() => {})]);
    await new Promise<void>((resolve, reject) => {
      assertNotLogged(logs, '*').then(resolve, reject);
    });
    await later;
    await logs.close();
  });
});

describe('A closed log test', () => {
  it('throws from every method with an error that names logs.close()', async () => {
    const logs = await startLogTest();
    await logs.close();
    const message = (name: string): string =>
      `\`${name}()\` was called after logs.close(), which deletes the records.`;
    await expect(logMatchers.toHaveLogged.call({}, logs, '*')).rejects.toThrow(message('toHaveLogged'));
    await expect(logs.records()).rejects.toThrow(message('records'));
    await expect(logs.flush()).rejects.toThrow(message('flush'));
    expect(() => logs.capture(pino({ level: 'silent' }))).toThrow(message('capture'));
    expect(() => logs.track({})).toThrow(message('track'));
  });
});
