import { readField, writeField } from '../event.ts';
import { withColumns } from '../operators/operator.ts';
import { editStep } from '../operators/row-code.ts';
import { fieldName, fieldNames, flag, integer, listOf } from '../signature/argument-types.ts';
import { defineTransform, required, withDefault } from '../signature/function-spec.ts';

/** Makes fields of a text whose columns all have the same width in each line. */
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
