import Papa from 'papaparse';
import { readField, writeField } from '../event.ts';
import { withColumns } from '../operators/operator.ts';
import { editStep } from '../operators/row-code.ts';
import { fieldName, fieldNames, flag, integer, listOf, text } from '../signature/argument-types.ts';
import { defineTransform, required, withDefault } from '../signature/function-spec.ts';

/** Extracts fields from one CSV line, named by `columns`. */
export const parseCsv = defineTransform({
  name: 'parseCsv',
  uncertain: [
    'Values beyond the last column are ignored. A column without a value sets no field.',
    'Only the first line is parsed. A newline within quotes is part of the value.',
  ],
  parameters: {
    field: withDefault(fieldName, '@rawstring', { unnamed: true }),
    columns: required(fieldNames),
    delimiter: withDefault(text, ','),
    excludeEmpty: withDefault(flag, false),
    trim: withDefault(flag, false),
  },
  compile({ field, columns, delimiter, excludeEmpty, trim }, call) {
    if (delimiter === '' || Papa.BAD_DELIMITERS.includes(delimiter)) {
      call.fail('parseCsv() needs a delimiter other than a quote or a newline', 'delimiter');
    }
    return editStep(
      (row) => {
        const source = readField(row, field);
        if (source === undefined) return;
        const cells = readLine(source, delimiter);
        for (const [index, name] of columns.entries()) {
          const cell = cells[index];
          if (cell === undefined) break;
          const value = trim ? cell.trim() : cell;
          if (value !== '' || !excludeEmpty) writeField(row, name, value);
        }
      },
      (before) => withColumns(before, columns),
    );
  },
});

/** The values of the first line. Lines without quotes, the most common ones, are only split. */
function readLine(source: string, delimiter: string): readonly string[] {
  if (!/["\r\n]/.test(source)) return source.split(delimiter);
  const [cells = []] = Papa.parse<string[]>(source, { delimiter, preview: 1 }).data;
  return cells;
}

/** Extracts fields from columns of fixed width. */
export const parseFixedWidth = defineTransform({
  name: 'parseFixedWidth',
  uncertain: ['A column that starts after the end of the string sets no field.'],
  parameters: {
    field: withDefault(fieldName, '@rawstring', { unnamed: true }),
    columns: required(fieldNames),
    widths: required(listOf(integer({ min: 1, max: 100_000 }), 'integers')),
    trim: withDefault(flag, true),
  },
  compile({ field, columns, widths, trim }, call) {
    if (columns.length !== widths.length) {
      call.fail(`"widths" must have one number per column (${columns.length})`, 'widths');
    }
    return editStep(
      (row) => {
        const source = readField(row, field);
        if (source === undefined) return;
        let start = 0;
        for (const [index, name] of columns.entries()) {
          if (start >= source.length) break;
          const end = start + widths[index]!;
          const value = source.slice(start, end);
          writeField(row, name, trim ? value.trim() : value);
          start = end;
        }
      },
      (before) => withColumns(before, columns),
    );
  },
});
