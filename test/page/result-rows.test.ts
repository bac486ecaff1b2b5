import { describe, expect, it, onTestFinished } from 'vitest';
import { levelName, severityOf } from '../../src/core/records/severity.ts';
import { toRow } from '../../src/page/api/rows.ts';
import { countAt, heightOf, readHistogram } from '../../src/page/histogram/buckets.ts';
import { toRecord } from '../../src/page/records/log-record.ts';
import { unitOf } from '../../src/page/records/units.ts';
import { blockText, firstLine, lineText, rawText } from '../../src/page/records/visible-text.ts';
import { isOfQuery, rejectedRepository } from '../../src/page/rejections/rejected-repository.ts';
import { csvHeader, csvLines, withEmptyCells } from '../../src/page/results/csv.ts';
import {
  numberColumns,
  rangeText,
  shownOrder,
  timeSeries,
  withUnit,
} from '../../src/page/search/result-shape.ts';
import { findsNothing, firstHints, hints, matches, table } from '../../src/page/state/results.ts';

/** The names that every object inherits. */
const INHERITED = [...Object.getOwnPropertyNames(Object.prototype)];

describe.each(INHERITED)('The name %s', (name) => {
  it('is an ordinary level', () => {
    expect(severityOf(name)).toBe('none');
    expect(levelName(name)).toBe(name.toLowerCase());
    expect(toRecord(toRow({ '@timestamp': 1, level: name })).level).toBe(name.toLowerCase());
  });

  it('is an ordinary value of the field by which the histogram is stacked', () => {
    const rows = [toRow({ _bucket: '0', _count: '2', level: name })];
    const { series, totals, max, buckets } = readHistogram(rows, 'level', 1000);
    expect([series, totals.get(name), max, buckets[0]!.counts.get(name)]).toEqual([[name], 2, 2, 2]);
  });

  it('is a field that rows without it do not have', () => {
    const rows = [toRow(JSON.parse('{"a":"1"}'))];
    expect(readHistogram([toRow({ _bucket: '0', _count: '1' })], name, 1000).series).toEqual(['']);
    expect(csvLines(rows, ['a', name], 'plain')).toBe('1,\r\n');
    expect(
      numberColumns({ rows, fieldOrder: ['a', name], extraData: {}, groupedBy: [], numbers: ['a', name] }),
    ).toEqual(['a']);
  });

  it('is an ordinary group of a chart over time', () => {
    const rows = [toRow({ _bucket: '0', _count: '3', level: name })];
    const extraData = { series: 'level' };
    const { series } = timeSeries({
      rows,
      fieldOrder: ['_bucket', 'level', '_count'],
      extraData,
      groupedBy: [],
      numbers: [],
    });
    expect(series).toEqual([{ name, values: [3] }]);
  });
});

it('times that a search has not read yet have no value in a chart, unlike those with the value zero', () => {
  const rows = [0, 3, 0, 2, 0].map((count, bucket) => toRow({ _bucket: `${bucket}`, _count: `${count}` }));
  const result = { rows, fieldOrder: ['_bucket', '_count'], extraData: {}, groupedBy: [], numbers: [] };
  expect(timeSeries({ ...result, isPart: true }).series[0]!.values).toEqual([null, 3, 0, 2, null]);
  expect(timeSeries(result).series[0]!.values).toEqual([0, 3, 0, 2, 0]);
});

it('records without the group of a chart over time are a series without a name', () => {
  const { series } = timeSeries({
    rows: [toRow({ _bucket: '0', _count: '3' })],
    fieldOrder: ['_bucket', 'level', '_count'],
    extraData: { series: 'level' },
    groupedBy: [],
    numbers: [],
  });
  expect(series).toEqual([{ name: '', values: [3] }]);
});

it('the histogram has a maximum with more buckets than a call has arguments', () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => toRow({ _bucket: String(index), _count: '4' }));
  expect(readHistogram(rows, 'level', 1).max).toBe(4);
});

it('shownOrder() sorts bars by the size of the chosen number, and a table by the chosen column', () => {
  const rows = ['1', '30', '-200', '4'].map((n) => toRow({ n, name: `row ${n}` }));
  const result = { rows, fieldOrder: ['name', 'n'], extraData: {}, groupedBy: ['name'], numbers: ['n'] };
  const numbers = (form: 'chart' | 'table', sort: string) =>
    shownOrder(result, rows, { form, sort, measure: '' }).map(({ n }) => n);
  expect(numbers('chart', 'n')).toEqual(['-200', '30', '4', '1']);
  expect(numbers('table', 'n')).toEqual(['-200', '1', '4', '30']);
  expect(numbers('table', '-name')).toEqual(['4', '30', '1', '-200']);
  expect(numbers('table', '')).toEqual(['1', '30', '-200', '4']);
});

it('CSV without columns is empty, without rows it is the header', () => {
  expect(csvHeader([], 'spreadsheet')).toBe('');
  expect(csvHeader(['a', 'b'], 'plain')).toBe('a,b\r\n');
});

it('Lines of CSV get empty cells at their ends, whatever their cells contain', () => {
  const rows = ['plain', '"', '""', 'a\r\nb', '"\r\n"', '\r\n', ',', '', 'x'.repeat(1_000_000)].map((a) =>
    toRow({ a, b: a }),
  );
  for (const kind of ['plain', 'spreadsheet'] as const) {
    expect(withEmptyCells(csvLines(rows, ['a', 'b'], kind), 2)).toBe(
      csvLines(rows, ['a', 'b', 'c', 'd'], kind),
    );
  }
});

describe('CSV for spreadsheets', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1+1', "'+1+1"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['-5', '-5'],
    ['+1.5e3', '+1.5e3'],
    ['a=1', 'a=1'],
  ])('writes %j as %j', (text, cell) => {
    expect(csvLines([toRow({ a: text })], ['a'], 'spreadsheet')).toBe(`${cell}\r\n`);
    expect(csvLines([toRow({ a: text })], ['a'], 'plain')).toBe(`${text}\r\n`);
  });

  it('quotes a formula with a comma or a newline', () => {
    expect(csvLines([toRow({ a: '=HYPERLINK("x",1)' })], ['a'], 'spreadsheet')).toBe(
      `"'=HYPERLINK(""x"",1)"\r\n`,
    );
    expect(csvLines([toRow({ a: '\r=1' })], ['a'], 'spreadsheet')).toBe(`"'\r=1"\r\n`);
  });

  it('has ISO times, a byte-order mark, and no formula in the names of columns', () => {
    expect(csvHeader(['=x', 'b'], 'spreadsheet')).toBe("\uFEFF'=x,b\r\n");
    expect(csvLines([toRow({ '@timestamp': 0 })], ['@timestamp'], 'spreadsheet')).toBe(
      '1970-01-01T00:00:00.000Z\r\n',
    );
    expect(csvLines([toRow({ '@timestamp': 'soon' })], ['@timestamp'], 'spreadsheet')).toBe('soon\r\n');
  });
});

describe('Numbers with units', () => {
  it.each([
    ['ms', 1234, '1.2 s'],
    ['req.duration', -5, '-5'],
    ['responseTime', 90_000, '1.5 min'],
    ['durationMs', 12, '12 ms'],
    ['bytes', 1_500_000, '1.5 MB'],
    ['res.content-length', 900, '900 B'],
    ['heapBytes', 0, '0 B'],
    ['cpu_percent', 12.345, '12.35 %'],
    ['count', 12_345, '12,345'],
    ['items', 7, '7'],
    ['forms', 7, '7'],
  ])('%s %d is %s', (name, value, text) => {
    expect(withUnit(value, unitOf(name))).toBe(text);
  });
});

describe('Height of a bar', () => {
  it.each(['linear', 'log'] as const)(
    'is 0 for nothing, 1 for the maximum, and grows, on a %s scale',
    (scale) => {
      expect([heightOf(0, 1e6, scale), heightOf(1e6, 1e6, scale)]).toEqual([0, 1]);
      const heights = [1, 10, 100, 1000, 1e6].map((count) => heightOf(count, 1e6, scale));
      expect(heights).toEqual(heights.toSorted((left, right) => left - right));
      for (const count of [0, 7, 1234, 1e6])
        expect(countAt(heightOf(count, 1e6, scale), 1e6, scale)).toBe(count);
    },
  );

  it('shows one record beside a million only on a logarithmic scale', () => {
    expect(heightOf(1, 1e6, 'linear')).toBeLessThan(0.001);
    expect(heightOf(1, 1e6, 'log')).toBeGreaterThan(0.04);
  });
});

describe('Repository of a rejected request', () => {
  it.each([
    ['ingest token "a" of b" of shop', '/api/v1/ingest/json', 'shop'],
    ['unknown token', '/api/v1/repositories/my%20shop/query', 'my shop'],
    ['user token', '/api/v1/dataspaces/shop/ingest', 'shop'],
    ['unknown token', '/api/v1/ingest/json', undefined],
    ['no token', '/api/v1/repositories/%E0%A4%A/query', '%E0%A4%A'],
  ])('%s, %s: %s', (token, path, repository) => {
    expect(rejectedRepository(token, path)).toBe(repository);
  });
});

it.each([
  ['/api/v1/repositories/shop/query', '400', true],
  ['/humio/api/v1/repositories/shop/queryjobs', '200', true],
  ['/api/v1/repositories/shop/query', '401', false],
  ['/api/v1/ingest/json', '400', false],
])('a rejection of %s with status %s is a mistake in a query: %s', (path, status, expected) => {
  expect(isOfQuery(path, status)).toBe(expected);
});

it.each([
  ['uncaughtException: boom\nError: boom\n    at main (app.js:1:2)', 'uncaughtException: boom ↵…'],
  ['\n  first\r\nsecond', 'first ↵…'],
  ['one line\n', 'one line↵'],
  ['one\tline', 'one⇥line'],
  ['', ''],
])('the first line of %j is %j', (text, expected) => {
  expect(firstLine(text)).toBe(expected);
});

describe('Visible text', () => {
  it.each([
    ['\u001b[31mred\u001b[0m \u001b[38;5;12mblue\u001b[m', 'red blue'],
    ['\u001b[2Jcleared', '␛[2Jcleared'],
    ['👨‍👩‍👧 👩🏽‍🚀 🏳️‍🌈', '👨‍👩‍👧 👩🏽‍🚀 🏳️‍🌈'],
    ['pay\u200Dpal', 'pay⟨U+200D⟩pal'],
    ['👨\u200Dpal', '👨⟨U+200D⟩pal'],
    ['می\u200Cخواهم', 'می\u200Cخواهم'],
    ['क्\u200Dष', 'क्\u200Dष'],
  ])('of %j is %j', (text, shown) => {
    expect(lineText(text)).toBe(shown);
    expect(blockText(text)).toBe(shown);
  });

  it('of a raw record has the escape sequences', () => {
    expect(rawText('\u001b[31mred', 100)).toBe('␛[31mred');
  });
});

it('The range of numbers is empty if some are too large to be exact, or missing', () => {
  expect(rangeText({ min: '1', avg: '2.345', max: '9007199254740991' })).toBe(
    'min 1 · avg 2.35 · max 9007199254740991',
  );
  const large = '12345678901234567891';
  expect(rangeText({ min: '1', avg: '6172839450617283946', max: large })).toBe('');
  expect(rangeText({ min: `-${large}`, avg: '-1', max: '1' })).toBe('');
  expect(rangeText({})).toBe('');
});

it.each([
  { matched: 0, columns: ['_count'], rows: [{ _count: '0' }], isEmpty: true },
  { matched: 2, columns: ['_count'], rows: [{ _count: '2' }], isEmpty: false },
  { matched: 2, columns: ['levl', '_count'], rows: [{ levl: '', _count: '2' }], isEmpty: true },
  { matched: 2, columns: ['levl', '_count'], rows: [{ _count: '2' }], isEmpty: true },
  { matched: 2, columns: ['levl', '_count'], rows: [], isEmpty: true },
  { matched: 2, columns: ['user', '_count'], rows: [{ _count: '1' }, { user: 'a' }], isEmpty: false },
  { matched: 2, columns: [], rows: [{ user: 'a' }], isEmpty: false },
])(
  'hints are shown while no event matches, or none has the field of the groups: $columns, $rows',
  ({ matched, columns, rows, isEmpty }) => {
    matches.value = matched;
    const shown = rows.map((row) => toRow({ ...row }));
    table.value = { rows: shown, fieldOrder: columns, extraData: {}, groupedBy: [], numbers: [] };
    firstHints.value = ['No recent event has the field "levl".'];
    onTestFinished(() => {
      table.value = undefined;
    });
    expect([findsNothing.value, hints.value.length]).toEqual([isEmpty, isEmpty ? 1 : 0]);
  },
);
