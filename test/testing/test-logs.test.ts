import { afterEach, describe, expect, it } from 'vitest';
import { ASSERTION_TARGET } from '../../src/testing/assertions/verdict.ts';
import { type LogTest, startLogTest } from '../../src/testing/index.ts';
import { beginTest, describeTestLogs, noteLogTest } from '../../src/testing/report/test-logs.ts';
import { log, NINE } from './log.ts';

const PAYS = { id: '1', name: 'pays' };

describe('The logs of a failed test', () => {
  let logs: LogTest;
  afterEach(() => logs.close());

  it('are those since its start, including those of a shared or closed log test', async () => {
    logs = await startLogTest();
    await log(logs, [{ level: 'info', msg: 'before' }]);
    await beginTest(PAYS);
    await log(logs, [{ level: 'warn', msg: 'during' }], NINE + 1);
    const own = await startLogTest();
    await log(own, [{ level: 'error', msg: 'closed' }], NINE + 2);
    await own.close();
    expect(await describeTestLogs(PAYS)).toMatchInlineSnapshot(`
      "Logs of the failed test "pays":
        09:00:00.001 warn  during
        09:00:00.002 error closed"
    `);
  });

  it('show no secrets if the log test has redact', async () => {
    logs = await startLogTest({ redact: { keys: ['ssn'] } });
    await beginTest(PAYS);
    await log(logs, [{ level: 'warn', msg: 'denied', ssn: '123-45-6789' }]);
    const text = await describeTestLogs(PAYS);
    expect(text).toContain('ssn=[redacted]');
    expect(text).not.toContain('6789');
  });

  it('are empty if nothing was logged', async () => {
    logs = await startLogTest();
    await beginTest(PAYS);
    expect(await describeTestLogs(PAYS)).toBeUndefined();
  });

  it('show the own fields of a request and its error before other nested fields, which may be cut', async () => {
    logs = await startLogTest();
    await beginTest(PAYS);
    const headers = { host: 'shop', connection: 'close' };
    const req = { id: 1, method: 'POST', url: '/login', query: { next: 'x'.repeat(60) }, headers };
    const err = { type: 'E', message: 'refused', code: { own: 1 } };
    await log(logs, [
      { level: 'warn', msg: 'login', req, user: 'eva', err, ms: 7, res: { statusCode: 401 } },
    ]);
    expect((await describeTestLogs(PAYS))!.split('\n')[1]).toBe(
      `  09:00:00.000 warn  login req.method=POST req.url=/login res.statusCode=401 user=eva ms=7 req.id=1 req.query.next=${'x'.repeat(60)} err.code.own=1 req.headers.host=shop req.headers.connection=close`,
    );
  });

  it('are limited to the last forty lines', async () => {
    logs = await startLogTest();
    await beginTest(PAYS);
    await log(
      logs,
      Array.from({ length: 45 }, (_, n) => ({ msg: `record ${n}` })),
    );
    const lines = (await describeTestLogs(PAYS))!.split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'Logs of the failed test "pays":',
      '  … 5 earlier records',
      '  09:00:00.005 record 5',
    ]);
    expect(lines.at(-1)).toBe('  09:00:00.044 record 44');
  });

  it('are only those of its own fixture if tests run concurrently', async () => {
    logs = await startLogTest();
    const [pays, ships] = ['pays', 'ships'].map((name) => ({ id: name, name, concurrent: true }));
    const [closed, open] = [await startLogTest(), await startLogTest()];
    await Promise.all([pays, ships].map((test) => beginTest(test!)));
    noteLogTest(closed[ASSERTION_TARGET], 'pays');
    noteLogTest(open[ASSERTION_TARGET], 'ships');
    await log(logs, [{ msg: 'of an unknown test' }]);
    await log(closed, [{ msg: 'paid' }]);
    await log(open, [{ msg: 'shipped' }]);
    await closed.close();
    expect(await describeTestLogs(pays!)).toBe('Logs of the failed test "pays":\n  09:00:00.000 paid');
    expect(await describeTestLogs(ships!)).toBe('Logs of the failed test "ships":\n  09:00:00.000 shipped');
    await open.close();
  });

  it('are replaced by the reason if they cannot be read, next to those of other log tests', async () => {
    logs = await startLogTest();
    await beginTest(PAYS);
    await log(logs, [{ msg: 'lost' }]);
    const own = await startLogTest();
    await log(own, [{ msg: 'paid' }]);
    await logs.server.close();
    expect((await describeTestLogs(PAYS))!.split('\n')).toEqual([
      'Logs of the failed test "pays":',
      '  09:00:00.000 paid',
      `Not all logs could be read. ${new URL(logs.baseUrl).host} could not be reached: fetch failed`,
    ]);
    await own.close();
  });
});
