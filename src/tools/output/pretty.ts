import { isServiceField } from '../../core/records/logger-line.ts';
import { tryOr } from '../../core/try-or.ts';
import { eventHeads } from './event-lines.ts';
import { type RecordFields, recordFields } from './record-fields.ts';
import { cellText, type Row, type RowFormat, type RowShape, rowByRow, type Surface } from './row-format.ts';
import { indented, visibleLine, visibleLines } from './terminal-text.ts';
import { cutTo, pad, widthOf } from './text-width.ts';
import { isTimeColumn, timeText } from './time-text.ts';

const MAX_NAME_WIDTH = 30;
const HINT = ' (-o json shows all)';

/** All fields of each row, one per line. JSON is indented; frames of packages and diagnostics are folded. */
export function prettyFormat({ columns }: RowShape, surface: Surface): RowFormat {
  const headOf = eventHeads(surface, { withDate: true });
  return rowByRow((row) => {
    if (columns !== undefined) return `${fieldLines(row, columns, surface).join('\n')}\n`;
    const fields = recordFields(row);
    return `${[headOf(row, fields), ...detailLines(row, fields, surface)].join('\n')}\n`;
  });
}

function detailLines(row: Row, fields: RecordFields, surface: Surface): string[] {
  const { details, error, others, folded } = fields;
  const { colors, width } = surface;
  const room = Math.max(MAX_NAME_WIDTH, width - HINT.length - 2);
  const own = others.filter((name) => !isServiceField(name));
  const hidden = [...others.filter((name) => isServiceField(name) && !isTimeColumn(name)), ...folded];
  return [
    ...(details === '' ? [] : indented(details, '  ')),
    ...fieldLines(row, own, surface),
    ...(error.length === 0 ? [] : indented(error.join('\n'), '  ').map(colors.dim)),
    ...(hidden.length === 0 ? [] : [colors.dim(`  ${cutTo(foldedNames(hidden), room)}${HINT}`)]),
  ];
}

function fieldLines(row: Row, names: readonly string[], { colors, timeZone }: Surface): string[] {
  const present = names.filter((name) => cellText(row, name) !== '');
  const width = Math.min(MAX_NAME_WIDTH, Math.max(0, ...present.map((name) => widthOf(visibleLine(name)))));
  return present.map((name) => {
    const value = cellText(row, name);
    const text = isTimeColumn(name) ? timeText(value, timeZone) : nestedJson(value);
    const [first, ...more] = visibleLines(text).split('\n');
    const label = pad(visibleLine(name), width);
    return [
      `  ${colors.dim(label)}  ${first}`,
      ...more.map((line) => `${' '.repeat(width + 4)}${line}`),
    ].join('\n');
  });
}

/** Indents a value that is a JSON object or array. */
function nestedJson(value: string): string {
  if (!/^\s*[{[]/.test(value)) return value;
  return tryOr(value, () => JSON.stringify(JSON.parse(value), null, 2));
}

/** Names by their first part: `process.* (9), @id`. */
function foldedNames(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) {
    const group = name
      .replace(/^(process|os|err|error|exception)\..*/, '$1.*')
      .replace(/^trace\[\d+\].*/, 'trace[n].*');
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return [...counts]
    .map(([group, count]) => visibleLine(count === 1 ? group : `${group} (${count})`))
    .join(', ');
}
