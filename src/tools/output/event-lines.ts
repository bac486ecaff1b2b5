import { inLineOrder, isCommonField } from '../../core/records/logger-line.ts';
import { paintLevel } from './colors.ts';
import { logfmtLine } from './logfmt.ts';
import { type RecordFields, recordFields } from './record-fields.ts';
import { cellText, type Row, type RowFormat, type RowShape, rowByRow, type Surface } from './row-format.ts';
import { sourceColors } from './source-colors.ts';
import { indented, visibleLine } from './terminal-text.ts';
import { cutTo, pad, widthOf } from './text-width.ts';
import { timeText } from './time-text.ts';

/** Narrower text for the other fields is not useful. */
const MIN_REST_WIDTH = 12;
/** On a narrower terminal, the date would leave no room for fields. */
const MIN_WIDTH_FOR_DATE = 80;
const DATE_LENGTH = '2026-01-01 '.length;
const LEVEL_WIDTH = 5;
const INDENT = '    ';

/**
 * A line for each event, as people read a log: time, level, source, message, and as many other fields as fit. More
 * lines of the message and its error follow, indented.
 */
export function eventLinesFormat({ columns }: RowShape, surface: Surface): RowFormat {
  const headOf = eventHeads(surface, { withDate: surface.width >= MIN_WIDTH_FOR_DATE });
  return rowByRow((row) => eventText(row, headOf, columns, surface));
}

export type EventHead = (row: Row, fields: RecordFields) => string;

/** Makes the first line of events: time, level, source and message. Each source has its own color. */
export function eventHeads(
  { colors, timeZone }: Surface,
  { withDate }: { readonly withDate: boolean },
): EventHead {
  const colorOf = sourceColors(colors);
  return (row, { level, source, message }) => {
    const dateTime = visibleLine(timeText(cellText(row, '@timestamp'), timeZone));
    const time = withDate ? dateTime : dateTime.slice(DATE_LENGTH);
    return [
      time === '' ? '' : colors.dim(time),
      level === undefined ? '' : paintLevel(level, pad(visibleLine(level), LEVEL_WIDTH), colors),
      source === undefined ? '' : colorOf(source)(visibleLine(source)),
      visibleLine(message ?? cellText(row, '@rawstring')),
    ]
      .filter((text) => text !== '')
      .join('  ');
  };
}

function eventText(
  row: Row,
  headOf: EventHead,
  columns: readonly string[] | undefined,
  surface: Surface,
): string {
  const fields = recordFields(row);
  const { message, details, error, others } = fields;
  // An event without a message is shown as its text, which has the fields, but not the tags.
  const shown = message === undefined ? others.filter((name) => name.startsWith('#')) : others;
  const rest = shown.filter((name) => !isCommonField(name));
  const line = logfmtLine(row, columns ?? inLineOrder(rest));
  const text = withRest(headOf(row, fields), line, surface);
  // The message of lines of text is the title of their error.
  const lines = error[0]?.trimEnd() === message ? error.slice(1) : error;
  const below = [details, ...lines].filter((part) => part !== '').join('\n');
  return below === '' ? text : `${text}\n${surface.colors.dim(indented(below, INDENT).join('\n'))}`;
}

/** Adds as many fields to a line as fit. */
function withRest(head: string, fields: string, { colors, width }: Surface): string {
  const room = width - widthOf(head) - 2;
  if (fields === '' || room < MIN_REST_WIDTH) return head;
  return `${head}  ${colors.dim(cutTo(visibleLine(fields), room))}`;
}
