import { afterEach, describe, expect, it } from 'vitest';
import { type LogTest, startLogTest } from '../../src/testing/index.ts';
import { beginTest, describeTestLogs, endTest } from '../../src/testing/report/test-logs.ts';
import { log, NINE } from './log.ts';

describe('the logs of a failed test', () => {
  let logs: LogTest;
  afterEach(() => logs.close());

  it('are those since it began, also of a log test that is shared or closed by now', async () => {
    logs = await startLogTest();
    await log(logs, [{ level: 'info', msg: 'before' }]);
    await beginTest();
    await log(logs, [{ level: 'warn', msg: 'during' }], NINE + 1);
    const own = await startLogTest();
    await log(own, [{ level: 'error', msg: 'closed' }], NINE + 2);
    await own.close();
    endTest();
    expect(await describeTestLogs('pays')).toMatchInlineSnapshot(`
      "Logs of the failed test "pays":
        09:00:00.001 warn  during
        09:00:00.002 error closed"
    `);
  });

  it('are none when nothing was logged', async () => {
    logs = await startLogTest();
    await beginTest();
    endTest();
    expect(await describeTestLogs('pays')).toBeUndefined();
  });

  it('are the last forty lines of many', async () => {
    logs = await startLogTest();
    await beginTest();
    await log(
      logs,
      Array.from({ length: 45 }, (_, n) => ({ msg: `record ${n}` })),
    );
    endTest();
    const lines = (await describeTestLogs('pays'))!.split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'Logs of the failed test "pays":',
      '  … 5 earlier records',
      '  09:00:00.005 record 5',
    ]);
    expect(lines.at(-1)).toBe('  09:00:00.044 record 44');
  });

  it('are not forgotten when another test begins at the same time', async () => {
    logs = await startLogTest();
    await beginTest();
    const own = await startLogTest();
    await log(own, [{ msg: 'mine' }]);
    await own.close();
    await beginTest();
    endTest();
    expect(await describeTestLogs('pays')).toContain('mine');
    endTest();
    await beginTest();
    endTest();
    expect(await describeTestLogs('pays')).toBeUndefined();
  });

  it('are left out when their server is gone', async () => {
    logs = await startLogTest();
    await beginTest();
    await log(logs, [{ msg: 'lost' }]);
    await logs.server.close();
    endTest();
    expect(await describeTestLogs('pays')).toBeUndefined();
  });
});
