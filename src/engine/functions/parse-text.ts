import Papa from 'papaparse';
import { escapeRegex } from '../../core/escape-regex.ts';
import { type Fields, readField, writeField } from '../event.ts';
import { additionStep } from '../operators/field-steps.ts';
import { fieldStep } from '../operators/row-code.ts';
import { fieldName, fieldNames, flag, integer, listOf, oneOf, text } from '../signature/argument-types.ts';
import { define, optional, required, withDefault } from '../signature/function-spec.ts';

/** Extracts fields from one CSV line, named by `columns`. */
export const parseCsv = define.transform({
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
    return fieldStep(field, columns, (source, row) => {
      const cells = readLine(source, delimiter);
      for (const [index, name] of columns.entries()) {
        const cell = cells[index];
        if (cell === undefined) break;
        const value = trim ? cell.trim() : cell;
        if (value !== '' || !excludeEmpty) writeField(row, name, value);
      }
    });
  },
});

/** The values of the first line. Lines without quotes, the most common ones, are only split. */
function readLine(source: string, delimiter: string): readonly string[] {
  if (!/["\r\n]/.test(source)) return source.split(delimiter);
  const [cells = []] = Papa.parse<string[]>(source, { delimiter, preview: 1 }).data;
  return cells;
}

/** Extracts fields from columns of fixed width. */
export const parseFixedWidth = define.transform({
  name: 'parseFixedWidth',
  uncertain: ['A column that starts after the end of the string sets no field.'],
  parameters: {
    field: withDefault(fieldName, '@rawstring', { unnamed: true }),
    columns: required(fieldNames),
    widths: required(listOf(integer({ min: 1, max: 100_000 }))),
    trim: withDefault(flag, true),
  },
  compile({ field, columns, widths, trim }, call) {
    if (columns.length !== widths.length) {
      call.fail(`"widths" must have one number per column (${columns.length})`, 'widths');
    }
    return fieldStep(field, columns, (source, row) => {
      let start = 0;
      for (const [index, name] of columns.entries()) {
        if (start >= source.length) break;
        const end = start + widths[index]!;
        const value = source.slice(start, end);
        writeField(row, name, trim ? value.trim() : value);
        start = end;
      }
    });
  },
});

type Padding = 'unknown' | 'yes' | 'no';

/** Extracts fields from `key=value`, `key="a value"` and `key='a value'`. Skips anything in between. */
export const kvParse = define.transform({
  name: 'kvParse',
  uncertain: [
    'With `separatorPadding="unknown"`, whitespace around the separator is accepted only if it is on both sides.',
  ],
  parameters: {
    field: withDefault(fieldName, '@rawstring', { unnamed: true }),
    as: optional(text, { aliases: ['prefix'] }),
    separator: withDefault(text, '='),
    separatorPadding: withDefault(oneOf('unknown', 'yes', 'no'), 'unknown'),
    override: withDefault(flag, false),
    onDuplicate: withDefault(oneOf('keepLast', 'keepFirst'), 'keepLast'),
    excludeEmpty: withDefault(flag, false),
  },
  compile({ field, as, separator, separatorPadding, override, onDuplicate, excludeEmpty }, call) {
    if (separator === '') call.fail('kvParse() needs a separator of at least one character', 'separator');
    const pairs = pairPattern(separator, separatorPadding);
    const prefix = as === undefined ? '' : `${as}.`;
    const parse = (source: string): Fields => {
      const fields: Fields = {};
      for (const [, key = '', double, single, bare] of source.matchAll(pairs)) {
        const value = double?.replaceAll('\\"', '"') ?? single?.replaceAll("\\'", "'") ?? bare ?? '';
        if (excludeEmpty && value === '') continue;
        const name = prefix + key;
        if (onDuplicate === 'keepLast' || readField(fields, name) === undefined)
          writeField(fields, name, value);
      }
      return fields;
    };
    return additionStep(field, parse, override);
  },
});

/** Groups: the key, then a value in double quotes, in single quotes, or bare up to whitespace or a comma. */
function pairPattern(separator: string, padding: Padding): RegExp {
  const quoted = escapeRegex(separator);
  // Excludes the separator's first character from keys, which would otherwise include it.
  const first = separator[0]!.replace(/[\\\]^-]/, '\\$&');
  const delimiter = `\\s,"'${first}`;
  // By default, padding must be on both sides: in "a= b=1", a is empty.
  const between = {
    yes: `\\s*${quoted}\\s*`,
    no: quoted,
    unknown: `(?:\\s+${quoted}\\s+|${quoted})`,
  }[padding];
  // With padding, a word before another separator is the next key, and the value is empty.
  const notNextKey = padding === 'yes' ? `(?![^${delimiter}]+\\s+${quoted})` : '';
  const value = `"((?:[^"\\\\]|\\\\.)*)"|'((?:[^'\\\\]|\\\\.)*)'|${notNextKey}([^\\s,]*)`;
  // Looks for keys only after a delimiter: a long word without a separator would take quadratic time.
  return new RegExp(`(?<![^${delimiter}])([^${delimiter}]+)${between}(?:${value})`, 'gs');
}
