import pc from 'picocolors';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { startLocalServer } from '../../src/server/index.ts';
import { startLogTest } from '../../src/testing/index.ts';
import { recordLines } from '../../src/testing/report/log-line.ts';
import { beginTest, describeTestLogs } from '../../src/testing/report/test-logs.ts';
import { eventColumns } from '../../src/tools/mcp/event-columns.ts';
import type { Logs } from '../../src/tools/mcp/log-source.ts';
import { findPatterns } from '../../src/tools/mcp/patterns.ts';
import { eventLinesFormat } from '../../src/tools/output/event-lines.ts';
import { prettyFormat } from '../../src/tools/output/pretty.ts';
import type { RowShape, Surface } from '../../src/tools/output/row-format.ts';
import { ERROR_SPELLINGS, ERROR_VIEW, storedFields } from '../helpers/error-spellings.ts';
import { type LogFields, log } from '../testing/log.ts';

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

/** The lines from the title of the error on, without their indentation. The title can be the message of the event. */
function errorIn(text: string): string[] {
  const lines = text.split('\n');
  const first = lines.findLastIndex((line) => line.endsWith(ERROR_VIEW[0]!));
  const title = lines[first]?.slice(-ERROR_VIEW[0]!.length) ?? '';
  return [title, ...lines.slice(first + 1, first + ERROR_VIEW.length).map((line) => line.trim())];
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
  it('never change stored fields, queries and matchers', async () => {
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
    expect(await logs.records()).toMatchObject([record]);
    expect(await logs.records('err.code=C')).toHaveLength(1);
    expect(await logs.client.query('error.code=C or exception.message=m or error.type=E')).toHaveLength(0);
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

  it('in patterns of MCP name the error, and each cause once', async () => {
    const server = await startLocalServer();
    onTestFinished(() => server.close());
    const { url: baseUrl, repository, userToken } = server;
    const client = new LogClient({ baseUrl, repository, userToken });
    const records: LogFields[] = [
      ...SPELLINGS.map(([, record]) => ({ ...record })),
      { msg: 'outer', err: { type: 'E', message: 'outer: inner' } },
      { msg: 'failed: no stock', err: { type: 'E', message: 'no stock' } },
      { thrown: { name: 'E', message: 'without a message of the record' } },
      { msg: 'plain' },
    ];
    const events = records.map((attributes, n) => ({ timestamp: Date.now() - n, attributes }));
    await client.ingestJsonData([{ events }]);
    const search = { filter: '', range: { start: '1h' }, limit: 100, signal: AbortSignal.timeout(60_000) };
    const logs = { client, secrets: [], repository } as unknown as Logs;
    const texts = (await findPatterns(logs, search)).map((row) => String(row._text)).sort();
    expect(texts).toMatchInlineSnapshot(`
      [
        "CardError [E_CARD]: card declined",
        "CardError: card declined",
        "E: outer: inner",
        "E: without a message of the record",
        "card declined",
        "card declined",
        "failed: no stock",
        "payment failed",
        "payment failed: CardError [E_CARD]: card declined",
        "payment failed: CardError [E_CARD]: card declined",
        "payment failed: CardError [E_CARD]: card declined: bank is closed",
        "plain",
        "{"args":["payment failed",{"stack":"CardError: card declined\\n    at charge (/srv/shop/charge.js:4:9)\\n    at next (/srv/shop/node_modules/express/router.js:1:1)","code":"E_CARD","cause":{"name":"Error","message":"bank is closed","stack":"Error: bank is closed\\n    at connect (/srv/shop/bank.js:9:1)",
        "{"data":["payment failed",{"message":"card declined","stack":"CardError: card declined\\n    at charge (/srv/shop/charge.js:4:9)\\n    at next (/srv/shop/node_modules/express/router.js:1:1)","code":"E_CARD","cause":{"name":"Error","message":"bank is closed","stack":"Error: bank is closed\\n    at conne",
      ]
    `);
  });
});
