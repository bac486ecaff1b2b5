import pc from 'picocolors';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { startLocalServer } from '../../src/server/index.ts';
import { startLogTest } from '../../src/testing/index.ts';
import { recordLines } from '../../src/testing/report/log-line.ts';
import { beginTest, describeTestLogs } from '../../src/testing/report/test-logs.ts';
import { eventColumns } from '../../src/tools/mcp/event-columns.ts';
import { eventLinesFormat } from '../../src/tools/output/event-lines.ts';
import { prettyFormat } from '../../src/tools/output/pretty.ts';
import type { RowShape, Surface } from '../../src/tools/output/row-format.ts';
import { accessTo } from '../helpers/cli-run.ts';
import { ERROR_SPELLINGS, ERROR_VIEW, storedFields } from '../helpers/error-spellings.ts';
import { connectMcp } from '../helpers/mcp-client.ts';
import { log, type LogFields } from '../testing/log.ts';

const EVENTS: RowShape = { isAggregate: false, columns: undefined, isEndless: false };
const surface: Surface = {
  isTerminal: true,
  width: 100,
  colors: pc.createColors(false),
  timeZone: 'UTC',
  draws: true,
  warn: () => {},
};
const SPELLINGS = Object.entries(ERROR_SPELLINGS);

/** The lines from the title of the error on, without their indentation. */
function errorIn(text: string): string[] {
  const lines = text.split('\n');
  const first = lines.findLastIndex((line) => line.trim() === ERROR_VIEW[0]);
  return lines.slice(first, first + ERROR_VIEW.length).map((line) => line.trim());
}

const VIEW = ERROR_VIEW.map((line) => line.trim());

describe.each(SPELLINGS)('An error in the spelling of %s', (_name, record) => {
  const row = { '@timestamp': 1_700_000_000_000, ...storedFields(record) };

  it('is the same in events and details on the terminal, which show it once', () => {
    for (const format of [eventLinesFormat, prettyFormat]) {
      const text = format(EVENTS, surface).rows([row]);
      expect(errorIn(text)).toEqual(VIEW);
      expect(text.match(/at charge/g)).toHaveLength(1);
    }
  });

  it('is the same in rows of MCP, instead of its fields', () => {
    const { rows, columns, others } = eventColumns([row]);
    expect(rows[0]!['(error)']).toBe(ERROR_VIEW.join('\n'));
    expect(columns).toContain('(error)');
    expect(columns.filter((name) => /stack|trace|cause/i.test(name))).toEqual([]);
    expect(others.length).toBeGreaterThan(0);
  });

  it('is the same in the report of a failed test', () => {
    const lines = recordLines(row);
    expect(lines.slice(1).map((line) => line.trim())).toEqual(VIEW);
    expect(lines[0]).not.toMatch(/at charge|stack/);
  });
});

describe('Views of errors', () => {
  it('don’t change stored fields, queries and matchers', async () => {
    const logs = await startLogTest();
    onTestFinished(() => logs.close());
    await beginTest({ name: 'pays' });
    const record = {
      err: { type: 'E', message: 'm', stack: 'E: m\n    at f (/a.js:1:1)', code: 'C' },
      msg: 'x',
    };
    await log(logs, [record]);
    expect(await describeTestLogs({ id: 'pays', name: 'pays' })).toBe(
      'Logs of the failed test "pays":\n  09:00:00.000 x\n      E [C]: m\n          at f (/a.js:1:1)',
    );
    const { '@rawstring': raw, ...stored } = (await logs.records())[0]!;
    expect(stored).toMatchObject(storedFields(record));
    expect(JSON.parse(String(raw))).toMatchObject(record);
    expect(await logs.records('err.code=C')).toHaveLength(1);
    expect(await logs.records('error.code=C or exception.message=m or error.type=E')).toHaveLength(0);
  });

  it('show control characters as text', () => {
    const message = 'a\u001b[31mb\u202ec\u0007';
    const row = storedFields({
      msg: 'x',
      err: { type: 'E', message, stack: `E: ${message}\n    at ${message}` },
    });
    for (const text of [eventLinesFormat(EVENTS, surface).rows([row]), recordLines(row).join('\n')]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not occur.
      expect(text).not.toMatch(/[\u0007\u001b\u202e]/);
    }
  });

  it('of MCP name the code and each cause of an error once', async () => {
    const server = await startLocalServer();
    onTestFinished(() => server.close());
    const { url: baseUrl, repository, userToken } = server;
    const client = new LogClient({ baseUrl, repository, userToken });
    const records: LogFields[] = [
      ...SPELLINGS.map(([, record]) => ({ level: 'error', ...record })),
      { level: 'error', msg: 'outer', err: { type: 'Error', message: 'outer: inner' } },
      { level: 'error', msg: 'plain' },
    ];
    const events = records.map((attributes, n) => ({ timestamp: Date.now() - n, attributes }));
    await client.ingestJsonData([{ events }]);
    const { call } = await connectMcp([], accessTo(server));
    const { text } = await call('summary', { maxTokens: 20_000 });
    expect(text).toContain('\tpayment failed: CardError [E_CARD]: card declined: bank is closed');
    expect(text).toContain('\tError: outer: inner\t');
    expect(text).toContain('\tplain\t');
    expect(
      text.split('\n').filter((line) => /bank is closed.*bank is closed|outer.*outer/.test(line)),
    ).toEqual([]);
    const found = await call('query', { query: 'err.code=E_CARD', maxTokens: 20_000 });
    expect(found.text).toContain(ERROR_VIEW.join('\\n'));
    const named = await call('query', { query: 'err.code=E_CARD', fields: ['err.code', 'err.message'] });
    expect(named.text).toContain('E_CARD\tcard declined: bank is closed');
  });
});
