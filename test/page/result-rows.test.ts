import { describe, expect, it } from 'vitest';
import { levelName, severityOf } from '../../src/internal/records/severity.ts';
import { toRow } from '../../src/page/api/types.ts';
import { readHistogram } from '../../src/page/histogram/buckets.ts';
import { toRecord } from '../../src/page/records/log-record.ts';
import { csvHeader, csvLines } from '../../src/page/results/csv.ts';
import { largestRows, numberColumns, timeSeries } from '../../src/page/results/result-shape.ts';

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
    expect(numberColumns({ rows, fieldOrder: ['a', name], extraData: {}, groupedBy: [] })).toEqual(['a']);
  });

  it('is an ordinary group of a chart over time', () => {
    const rows = [toRow({ _bucket: '0', _count: '3', level: name })];
    const extraData = { series: 'level' };
    const { series } = timeSeries({
      rows,
      fieldOrder: ['_bucket', 'level', '_count'],
      extraData,
      groupedBy: [],
    });
    expect(series).toEqual([{ name, values: [3] }]);
  });
});

it('the histogram has a maximum with more buckets than a call has arguments', () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => toRow({ _bucket: String(index), _count: '4' }));
  expect(readHistogram(rows, 'level', 1).max).toBe(4);
});

it('largestRows() sorts by the size of a number before it cuts', () => {
  const rows = ['1', '30', '-200', '4'].map((n) => toRow({ n }));
  expect(largestRows(rows, 'n', 2).map(({ n }) => n)).toEqual(['-200', '30']);
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
