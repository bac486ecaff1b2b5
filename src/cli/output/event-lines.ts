import { levelLabel } from '../../internal/logger-line.ts';
import { paintLevel } from './colors.ts';
import { logfmtLine } from './logfmt.ts';
import { cellText, type Row, type RowFormat, type RowShape, type Surface } from './row-format.ts';
import { visibleLine, visibleLines } from './terminal-text.ts';
import { cutTo, pad, widthOf } from './text-width.ts';
import { timeText } from './time-text.ts';

const LEVEL_FIELDS = ['level', 'severity', 'loglevel', 'log.level', '#level'];
const MESSAGE_FIELDS = ['msg', 'message'];
const SOURCE_FIELDS = ['#service', '#app', '#host', 'service', 'name', 'logger'];
const STACK_FIELDS = ['err.stack', 'error.stack', 'stack'];
/** Less than this is not worth showing of the other fields. */
const MIN_REST_WIDTH = 12;
const LEVEL_WIDTH = 5;

/**
 * A line for each event, as people read a log: time, level, where from, message, and as many of the other fields as
 * there is room for. A stack trace follows on lines of its own.
 */
export function eventLinesFormat({ columns }: RowShape, surface: Surface): RowFormat {
  return {
    rows: (rows) => rows.map((row) => `${eventText(row, columns, surface)}\n`).join(''),
    end: () => '',
  };
}

function eventText(row: Row, columns: readonly string[] | undefined, surface: Surface): string {
  const { colors, timeZone } = surface;
  const level = firstOf(row, LEVEL_FIELDS);
  const source = firstOf(row, SOURCE_FIELDS);
  const message = firstOf(row, MESSAGE_FIELDS);
  const stack = firstOf(row, STACK_FIELDS);
  const raw = message === undefined ? cellText(row, '@rawstring') : cellText(row, message);
  const head = [
    paint(visibleLine(timeText(cellText(row, '@timestamp'), timeZone)), colors.dim),
    level === undefined ? '' : levelText(levelOf(row, level), surface),
    source === undefined ? '' : paint(visibleLine(cellText(row, source)), colors.magenta),
    visibleLine(raw),
  ].filter((text) => text !== '');
  const shown = new Set([level, source, message, stack]);
  // Where there is no message, the text of the event is shown, and its fields are in there.
  const rest =
    columns ?? (message === undefined ? [] : Object.keys(row).filter((name) => isOther(name, shown)));
  const text = withRest(head.join('  '), logfmtLine(row, rest), surface);
  return stack === undefined ? text : `${text}\n${indented(cellText(row, stack), surface)}`;
}

function firstOf(row: Row, names: readonly string[]): string | undefined {
  return names.find((name) => cellText(row, name) !== '');
}

function levelOf(row: Row, field: string): string {
  return levelLabel(row[field], row.time) ?? cellText(row, field);
}

function isOther(name: string, shown: ReadonlySet<string | undefined>): boolean {
  if (shown.has(name) || name.startsWith('@')) return false;
  return !/^(#repo|#type|#level|time|timestamp|v|pid|hostname)$/.test(name) && !name.endsWith('.stack');
}

function levelText(level: string, { colors }: Surface): string {
  return paintLevel(level, pad(visibleLine(level), LEVEL_WIDTH), colors);
}

function paint(text: string, color: (text: string) => string): string {
  return text === '' ? '' : color(text);
}

/** Of a terminal's line, what is left after the message; all of it elsewhere. */
function withRest(head: string, fields: string, { colors, width }: Surface): string {
  const room = width - widthOf(head) - 2;
  if (fields === '' || room < MIN_REST_WIDTH) return head;
  return `${head}  ${colors.dim(cutTo(visibleLine(fields), room))}`;
}

function indented(stack: string, { colors }: Surface): string {
  const lines = visibleLines(stack).split('\n');
  return colors.dim(lines.map((line) => `    ${line}`).join('\n'));
}
