import fc from 'fast-check';
import Papa from 'papaparse';
import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { csvFormat } from '../../../src/tools/output/csv.ts';
import { jsonFormat, ndjsonFormat } from '../../../src/tools/output/json.ts';
import { logfmtFormat } from '../../../src/tools/output/logfmt.ts';
import { prettyFormat } from '../../../src/tools/output/pretty.ts';
import { rawFormat } from '../../../src/tools/output/raw.ts';
import type { Row, RowFormat, RowShape, Surface } from '../../../src/tools/output/row-format.ts';
import { tableFormat } from '../../../src/tools/output/table.ts';
import { templateFormat } from '../../../src/tools/output/template.ts';
import { visibleJson, visibleLine } from '../../../src/tools/output/terminal-text.ts';
import { cutTo, widthOf } from '../../../src/tools/output/text-width.ts';
import { anyCharacter, cases } from '../../helpers/laws.ts';

const EVENTS: RowShape = { isAggregate: false, columns: undefined, isEndless: false };
const pipe: Surface = {
  isTerminal: false,
  width: Number.POSITIVE_INFINITY,
  colors: pc.createColors(false),
  timeZone: 'UTC',
  draws: false,
  warn: () => {},
};
const terminal: Surface = { ...pipe, isTerminal: true, width: 60, draws: true };
const columns = (...names: string[]): RowShape => ({ isAggregate: true, columns: names, isEndless: false });

function textOf(format: RowFormat, rows: readonly Row[]): string {
  return format.rows(rows) + [...format.end()].join('');
}

const anyRows = fc.array(
  fc.dictionary(
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 6 }),
    fc.string({ unit: anyCharacter }),
    {
      maxKeys: 4,
      noNullPrototype: true,
    },
  ),
  { maxLength: 6 },
);
/** Text in which every other character is a terminal control character. */
const hostileText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\u001b[2J',
      '\u001b]0;x\u0007',
      '\u009b',
      '\r',
      '\n',
      '\u0000',
      '\u007f',
      '\u202e',
      '\u2066',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
});
const hostileRows = fc.array(
  fc.record(
    Object.fromEntries(
      ['a', '@rawstring', '@timestamp', 'level', 'msg', '#service', 'err.stack', 'o\u001bther'].map(
        (name) => [name, hostileText],
      ),
    ),
    { requiredKeys: ['a'] },
  ),
  { minLength: 1, maxLength: 3 },
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: what must never reach a terminal.
const DRIVES_A_TERMINAL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

describe('Machine-readable output', () => {
  it('JSON and NDJSON parse back to the same rows, also on a terminal', () => {
    fc.assert(
      fc.property(anyRows, fc.constantFrom(pipe, terminal), (rows, surface) => {
        expect(JSON.parse(textOf(jsonFormat(EVENTS, surface), rows))).toEqual(rows);
        const lines = textOf(ndjsonFormat(EVENTS, surface), rows).split('\n').slice(0, -1);
        expect(lines.map((line) => JSON.parse(line))).toEqual(rows);
      }),
      cases(25),
    );
  });

  it('JSON is one array for rows in several parts, and an empty array for no rows', () => {
    const format = jsonFormat(EVENTS, pipe);
    const text =
      format.rows([{ a: '1' }]) + format.rows([]) + format.rows([{ a: '2' }]) + [...format.end()].join('');
    expect(JSON.parse(text)).toEqual([{ a: '1' }, { a: '2' }]);
    expect(textOf(jsonFormat(EVENTS, pipe), [])).toBe('[]\n');
  });

  it('CSV parses back to the same cells', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string()), { minLength: 1, maxLength: 5 }), (cells) => {
        const rows = cells.map(([a, b]) => ({ a, b }));
        const text = textOf(csvFormat(EVENTS, pipe), rows);
        const parsed = Papa.parse<string[]>(text.replace(/\n$/, '')).data;
        expect(parsed).toEqual([['a', 'b'], ...cells]);
      }),
      cases(25),
    );
  });

  it('CSV without known columns is written in the parts in which it arrived, never as one text', () => {
    const format = csvFormat(EVENTS, pipe);
    for (const row of [{ a: '1' }, { b: '2' }, { c: '3' }]) expect(format.rows([row])).toBe('');
    expect([...format.end()]).toEqual(['a,b,c\n1,,\n', ',2,\n', ',,3\n']);
  });

  it('CSV has the columns of all rows, or of the first ones with a warning if the query is endless', () => {
    const rows = [{ a: '1' }, { a: '2', b: '3' }];
    expect(textOf(csvFormat(EVENTS, pipe), rows)).toBe('a,b\n1,\n2,3\n');
    const warnings: string[] = [];
    const surface = { ...pipe, warn: (message: string) => void warnings.push(message) };
    const endless = csvFormat({ ...EVENTS, isEndless: true }, surface);
    expect(endless.rows([rows[0]!]) + endless.rows([rows[1]!]) + endless.rows([rows[1]!])).toBe(
      'a\n1\n2\n2\n',
    );
    expect(warnings).toEqual([expect.stringContaining('"b"')]);
  });

  it('CSV has a header even without rows if the columns are known', () => {
    expect(textOf(csvFormat(columns('a', 'b'), pipe), [])).toBe('a,b\n');
  });

  it('logfmt quotes empty values and values with spaces, quotes or equals signs', () => {
    const row = { a: 'x', b: 'two words', c: 'say "hi"', d: '', 'e f': '=' };
    expect(textOf(logfmtFormat(EVENTS, pipe), [row])).toBe(
      'a=x b="two words" c="say \\"hi\\"" d="" e_f="="\n',
    );
  });

  it('raw prints the text of an event, or a single value without its name', () => {
    expect(textOf(rawFormat(EVENTS, pipe), [{ '@rawstring': 'GET /', a: '1' }])).toBe('GET /\n');
    expect(textOf(rawFormat(columns('_count'), pipe), [{ _count: '3' }])).toBe('3\n');
  });

  it('a template inserts fields, formatted times and escaped braces', () => {
    const template = '{@timestamp} {@timestamp:ms} {{{level}}}\\t{nope}|';
    const row = { '@timestamp': 1_700_000_000_123, level: 'info' };
    expect(textOf(templateFormat(template, pipe), [row])).toBe(
      '2023-11-14 22:13:20.123 1700000000123 {info}\t|\n',
    );
  });

  it.each(['{level', 'a } b', '{}'])(
    'a template is rejected with the position of an unmatched brace: %j',
    (template) => {
      expect(() => templateFormat(template, pipe)).toThrow(/unmatched "." at position \d+/);
    },
  );
});

describe('Control characters in records', () => {
  it('never reach a terminal, in any format', () => {
    fc.assert(
      fc.property(hostileRows, (rows) => {
        const formats = [
          tableFormat(EVENTS, terminal),
          tableFormat({ ...EVENTS, isAggregate: true }, terminal),
          prettyFormat(EVENTS, terminal),
          rawFormat(EVENTS, terminal),
          ndjsonFormat(EVENTS, terminal),
          jsonFormat(EVENTS, terminal),
          csvFormat(EVENTS, terminal),
          logfmtFormat(EVENTS, terminal),
          templateFormat('{a} {@timestamp} {msg}', terminal),
        ];
        for (const format of formats) expect(textOf(format, rows)).not.toMatch(DRIVES_A_TERMINAL);
      }),
      cases(25),
    );
  });

  it('are escaped as visible text for a terminal', () => {
    expect(visibleLine('\u001b[2J\u009b31m\r\nx\u202e')).toBe('\\x1b[2J\\x9b31m\\r\\nx\\u202e');
    expect(visibleJson('"\u009b"')).toBe('"\\u009b"');
  });

  it('are written unchanged to a pipe', () => {
    expect(textOf(rawFormat(EVENTS, pipe), [{ '@rawstring': '\u001b[1mx' }])).toBe('\u001b[1mx\n');
  });
});

describe('Table output', () => {
  it('aligns columns with wide characters and emoji, and right-aligns numbers', () => {
    const rows = [
      { name: '日本語', _count: '3' },
      { name: 'a', _count: '12' },
      { name: '👍🏽', _count: '100' },
    ];
    expect(textOf(tableFormat(columns('name', '_count'), pipe), rows)).toBe(
      'name    _count\n日本語       3\na           12\n👍🏽         100\n',
    );
  });

  it('shortens the widest column to fit the terminal, and nothing in a pipe', () => {
    const rows = [{ a: 'x'.repeat(100), b: 'short' }];
    const lines = textOf(tableFormat(columns('a', 'b'), terminal), rows)
      .trimEnd()
      .split('\n');
    expect(lines.every((line) => widthOf(line) <= terminal.width)).toBe(true);
    expect(lines[2]).toMatch(/^x+… {2}short$/);
    expect(textOf(tableFormat(columns('a', 'b'), pipe), rows)).toContain('x'.repeat(100));
  });

  it('draws bars for the counts of groupBy() only on a wide enough terminal', () => {
    const rows = [
      { level: 'error', _count: '5' },
      { level: 'info', _count: '10' },
    ];
    const shape = columns('level', '_count');
    expect(textOf(tableFormat(shape, terminal), rows)).toBe(
      [
        'level  _count',
        `─────  ──────  ${'─'.repeat(20)}`,
        `error       5  ${'█'.repeat(10)}`,
        `info       10  ${'█'.repeat(20)}`,
        '',
      ].join('\n'),
    );
    expect(textOf(tableFormat(shape, pipe), rows)).not.toContain('█');
    expect(textOf(tableFormat(shape, { ...terminal, draws: false }), rows)).not.toContain('█');
    // They would leave no space for the counted values, or wrap.
    expect(textOf(tableFormat(shape, { ...terminal, width: 30 }), rows)).not.toContain('█');
  });

  it.each([60, 100, 200])('draws bars for the counts and rounds numbers in %i columns', (width) => {
    const rows = [
      { level: 'error', _count: '5', _avg: '520.641452344932', _p: '0.00012345' },
      { level: 'info', _count: '10', _avg: '41', _p: '3' },
    ];
    const shape = { ...columns('level', '_count', '_avg', '_p'), numbers: new Set(['_count', '_avg', '_p']) };
    expect(textOf(tableFormat(shape, { ...terminal, width }), rows)).toBe(
      [
        'level  _count    _avg        _p  _count',
        `─────  ──────  ──────  ────────  ${'─'.repeat(20)}`,
        `error       5  520.64  0.000123  ${'█'.repeat(10)}`,
        `info       10      41         3  ${'█'.repeat(20)}`,
        '',
      ].join('\n'),
    );
    expect(textOf(tableFormat(shape, pipe), rows)).toContain('520.641452344932');
  });

  it('shows events as lines: time, level, service, message, other fields, stack', () => {
    const event = {
      '@timestamp': 1_700_000_000_123,
      '@id': 'x',
      '#repo': 'sandbox',
      '#service': 'shop',
      level: 'error',
      msg: 'no\nway',
      order: 'o 1',
      'err.stack': 'Error: no\n    at a.js:1',
    };
    expect(textOf(tableFormat(EVENTS, { ...terminal, width: 100 }), [event])).toBe(
      '2023-11-14 22:13:20.123  error  shop  no  order="o 1"\n    way\n    Error: no\n        at a.js:1\n',
    );
  });

  it('never exceeds the width given to cutTo()', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, width) => {
        expect(widthOf(cutTo(visibleLine(text), width))).toBeLessThanOrEqual(Math.max(1, width));
      }),
      cases(),
    );
  });
});
