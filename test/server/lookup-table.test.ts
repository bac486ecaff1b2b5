import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { finish } from '../../src/engine/index.ts';
import { printCsv } from '../../src/server/lookup-files/csv-table.ts';
import { editTable } from '../../src/server/lookup-files/lookup-edit.ts';
import {
  type LookupFormat,
  lookupFormat,
  readTable as readTableInSlices,
} from '../../src/server/lookup-files/lookup-format.ts';
import type { LookupTable } from '../../src/server/lookup-files/lookup-table.ts';
import { cases } from '../helpers/laws.ts';

const readTable = (format: LookupFormat, content: Uint8Array): LookupTable =>
  finish(readTableInSlices(format, content));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const cell = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('', '"', ',', '\n', '\r\n', ' x ', 'a"b', '\r'),
);

const tables: fc.Arbitrary<LookupTable> = fc.integer({ min: 1, max: 4 }).chain((columns) => {
  const row = fc.array(cell, { minLength: columns, maxLength: columns });
  const name = fc.stringMatching(/^[a-z]{1,5}$/);
  const headers = fc.uniqueArray(name, { minLength: columns, maxLength: columns });
  return fc.record({ headers, rows: fc.array(row, { maxLength: 8 }) });
});

describe('CSV lookup files', () => {
  it('keep any headers and rows when written and read', () => {
    fc.assert(
      fc.property(tables, (table) => {
        expect(readTable('csv', bytes(printCsv(table)))).toEqual(table);
      }),
      cases(),
    );
  });

  it('can mix LF and CRLF newlines between rows, with any text in quoted cells', () => {
    const ends = fc.array(fc.constantFrom('\n', '\r\n'), { minLength: 9, maxLength: 9 });
    fc.assert(
      fc.property(tables, ends, ({ headers, rows }, lineEnds) => {
        const quoted = [headers, ...rows].map((row) =>
          row.map((text) => `"${text.replaceAll('"', '""')}"`).join(','),
        );
        const text = quoted.map((line, index) => `${line}${lineEnds[index]}`).join('');
        expect(readTable('csv', bytes(text))).toEqual({ headers, rows });
      }),
      cases(),
    );
  });

  it('are read with whitespace kept, quotes unescaped and the byte order mark removed', () => {
    const table = readTable('csv', bytes('\uFEFFid, name\r\n1," Ada ""A"""\r\n2, x \r\n'));
    expect(table).toEqual({
      headers: ['id', ' name'],
      rows: [
        ['1', ' Ada "A"'],
        ['2', ' x '],
      ],
    });
  });

  it('fill short rows, drop empty cells without a header, and skip blank lines', () => {
    const table = readTable('csv', bytes('a,b\n1\n\n2,3,,\n'));
    expect(table.rows).toEqual([
      ['1', ''],
      ['2', '3'],
    ]);
  });

  it.each(['', '\n', '\n\n'])('have no columns when read from %j', (text) => {
    expect(readTable('csv', bytes(text))).toEqual({ headers: [], rows: [] });
  });

  it('are read as papaparse reads them, for any valid text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ',', '\n', ' ', '"'), maxLength: 12 });
    fc.assert(
      fc.property(text, (csv) => {
        const { data, errors } = Papa.parse<string[]>(csv, { delimiter: ',', newline: '\n' });
        fc.pre(errors.length === 0);
        const [headers = [], ...rows] = data;
        fc.pre(headers.length > 1);
        const names = headers.filter((name) => name !== '');
        fc.pre(new Set(names).size === names.length);
        const filled = rows
          .filter((row) => row.length > 1 || row[0] !== '')
          .map((row) => headers.map((_, index) => row[index] ?? ''));
        const hasMore = rows.some((row) => row.slice(headers.length).some(Boolean));
        if (hasMore) expect(() => readTable('csv', bytes(csv))).toThrow('but the header has');
        else expect(readTable('csv', bytes(csv))).toEqual({ headers, rows: filled });
      }),
      cases(200),
    );
  });

  it('are rejected for an unclosed quote', () => {
    expect(() => readTable('csv', bytes('a,b\n1,"x\n'))).toThrow(/row 2.*double quote/);
  });

  it('are rejected for a cell without a header, which an edit would remove', () => {
    expect(() => readTable('csv', bytes('ip,team\n\n10.0.0.0,blue,x\n10.0.0.1\n'))).toThrow(
      'Row 3 has 3 cells, but the header has 2.',
    );
  });

  it('are rejected for two columns with one name, also after an edit; columns can have no name', () => {
    const message = 'Columns 1 and 3 are both named "ip". Rename or remove one.';
    expect(() => readTable('csv', bytes('ip,team,ip\n1,2,3\n'))).toThrow(message);
    const table = readTable('csv', bytes('ip,,\n1,2,3\n'));
    const edit = { changedRows: [], columnChanges: [], headers: ['ip', '', 'ip'], limit: 0, offset: 0 };
    expect(() => editTable(table, edit)).toThrow(message);
    expect(table.headers).toEqual(['ip', '', '']);
  });

  it('are rejected for more than 10,000 columns', () => {
    expect(() => readTable('csv', bytes(','.repeat(10_000)))).toThrow('at most 10000 columns');
    expect(readTable('csv', bytes(','.repeat(9_999))).headers).toHaveLength(10_000);
  });

  it('are rejected for bytes that are not UTF-8', () => {
    expect(() => readTable('csv', Uint8Array.of(0x61, 0xff, 0xfe))).toThrow('not UTF-8');
  });
});

describe('JSON lookup files', () => {
  it('are read from an array of objects, without nested values', () => {
    const table = readTable('json', bytes('[{"a": 1, "in": {"x": 1}}, {"b": true, "a": null, "list": [1]}]'));
    expect(table).toEqual({
      headers: ['a', 'b'],
      rows: [
        ['1', ''],
        ['', 'true'],
      ],
    });
  });

  it('are read from an object of objects, with the keys in a column without a name', () => {
    const table = readTable('json', bytes('{"k1": {"name": "x"}, "constructor": {"name": "y"}}'));
    expect(table).toEqual({
      headers: ['', 'name'],
      rows: [
        ['k1', 'x'],
        ['constructor', 'y'],
      ],
    });
  });

  it.each(['7', '[1]', '{"a": 1}', 'null', '{'])('are rejected when the content is %s', (text) => {
    expect(() => readTable('json', bytes(text))).toThrow(/must be an object|not JSON/);
  });
});

describe('Names of lookup files', () => {
  it.each(['hosts.csv', 'Hosts.CSV', 'my hosts.json', 'größe.csv'])('can be %s', (name) => {
    expect(['csv', 'json']).toContain(lookupFormat(name));
  });

  it.each([
    '',
    'hosts',
    'hosts.txt',
    '.csv',
    '../hosts.csv',
    'a/b.csv',
    'a\\b.csv',
    'a\nb.csv',
    `${'x'.repeat(300)}.csv`,
  ])('cannot be %j', (name) => {
    expect(() => lookupFormat(name)).toThrow(/A file name/);
  });
});

describe('editTable()', () => {
  const table: LookupTable = {
    headers: ['a', 'b'],
    rows: [
      ['1', 'x'],
      ['2', 'y'],
      ['3', 'z'],
    ],
  };
  const nothing = { changedRows: [], headers: [], columnChanges: [] };

  it('replaces the rows of the window with fewer or more rows', () => {
    const rows = (edit: object) =>
      editTable(table, { ...nothing, headers: ['a', 'b'], ...edit }).rows.map(([a]) => a);
    expect(
      rows({
        offset: 1,
        limit: 1,
        changedRows: [
          ['8', ''],
          ['9', ''],
        ],
      }),
    ).toEqual(['1', '8', '9', '3']);
    expect(rows({ offset: 0, limit: 2, changedRows: [['8', '']] })).toEqual(['8', '3']);
    expect(rows({ offset: 3, limit: 200, changedRows: [['4', '']] })).toEqual(['1', '2', '3', '4']);
    expect(rows({ offset: 50, limit: 1, changedRows: [['4', '']] })).toEqual(['1', '2', '3', '4']);
  });

  it('replaces all rows without an offset', () => {
    const edited = editTable(table, { ...nothing, headers: ['a', 'b'], changedRows: [['7', 'q']] });
    expect(edited.rows).toEqual([['7', 'q']]);
  });

  it('deletes the rows of the window for empty changedRows, and keeps the headers for empty headers', () => {
    expect(editTable(table, { ...nothing, offset: 0, limit: 2 })).toEqual({
      headers: ['a', 'b'],
      rows: [['3', 'z']],
    });
  });

  it('applies column changes in order, each to the result of the previous one', () => {
    const edited = editTable(table, {
      changedRows: [['new', '1', '!']],
      headers: ['n', 'a', 'c'],
      columnChanges: [
        { changeKind: 'Remove', index: 1 },
        { changeKind: 'Add', index: 0 },
        { changeKind: 'Add', index: 2 },
      ],
      offset: 0,
      limit: 1,
    });
    expect(edited).toEqual({
      headers: ['n', 'a', 'c'],
      rows: [
        ['new', '1', '!'],
        ['', '2', ''],
        ['', '3', ''],
      ],
    });
  });

  it.each([
    [
      'a column that is not there',
      { columnChanges: [{ changeKind: 'Remove' as const, index: 2 }] },
      /no column 2 to remove/,
    ],
    [
      'a negative column',
      { columnChanges: [{ changeKind: 'Add' as const, index: -1 }] },
      /no column -1 to add/,
    ],
    [
      'headers that do not fit the rows that stay',
      { headers: ['a'], offset: 0, limit: 1 },
      /headers has 1 columns/,
    ],
    [
      'a row with more cells than headers',
      { headers: ['a', 'b'], changedRows: [['1', '2', '3']] },
      /changedRows\[0\]/,
    ],
    ['a negative offset', { offset: -1 }, /offset must not be negative/],
    ['a negative limit', { offset: 0, limit: -1 }, /limit must not be negative/],
  ])('rejects %s', (_, edit, message) => {
    expect(() => editTable(table, { ...nothing, ...edit })).toThrow(message);
  });

  it('never changes a row outside its window', () => {
    fc.assert(
      fc.property(tables, fc.nat(10), fc.nat(10), fc.nat(5), (before, offset, limit, count) => {
        const row = before.headers.map(() => 'new');
        const changedRows = Array.from({ length: count }, () => row);
        const after = editTable(before, { ...nothing, headers: before.headers, changedRows, offset, limit });
        const start = Math.min(offset, before.rows.length);
        expect(after.rows.slice(0, start)).toEqual(before.rows.slice(0, start));
        expect(after.rows.slice(start + count)).toEqual(before.rows.slice(offset + limit));
      }),
      cases(),
    );
  });
});
