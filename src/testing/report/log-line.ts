import { stripVTControlCharacters } from 'node:util';
import { countText } from '../../core/count-text.ts';
import { loggedFields } from '../../core/records/logged-line.ts';
import { inLineOrder, isCommonField } from '../../core/records/logger-line.ts';
import { errorLines, recordError } from '../../core/records/record-error.ts';
import { LEVEL_FIELDS } from '../../core/records/record-fields.ts';
import { shortenText } from '../../core/shorten-text.ts';
import type { LogEvent } from '../../index.ts';

const MAX_VALUE_CHARACTERS = 80;
const MAX_LINE_CHARACTERS = 240;
const MAX_ERROR_LINES = 20;

/** A record as {@link logLine}, then its error with its causes. */
export function recordLines(record: LogEvent): string[] {
  const error = recordError(record);
  if (error === undefined) return [logLine(record)];
  // Without characters that move the cursor or change the direction of text.
  const printable = (line: string): string =>
    stripVTControlCharacters(line).replace(/(?!\t)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '\ufffd');
  const lines = errorLines(error).map((line) => `    ${shortenText(printable(line), MAX_LINE_CHARACTERS)}`);
  const left = lines.length - MAX_ERROR_LINES;
  const more = left > 0 ? [`    … ${countText(left, 'more line')}`] : [];
  return [logLine(record, error.fields), ...lines.slice(0, MAX_ERROR_LINES), ...more];
}

/** A record on one line: time (UTC), level, message, then the other fields. */
export function logLine(record: LogEvent, hidden: ReadonlySet<string> = new Set()): string {
  const { level, field, message } = loggedFields(record);
  const levelField = LEVEL_FIELDS.find((name) => record[name] !== undefined && record[name] !== '');
  const names = Object.keys(record).filter(
    (name) => name !== levelField && name !== field && !hidden.has(name) && !isCommonField(name),
  );
  const shown = inLineOrder(names).map((name) => `${name}=${shownValue(String(record[name]))}`);
  // The fields of an event without a message are shown one by one.
  const text = field === '@rawstring' && message.startsWith('{') ? '' : stripVTControlCharacters(message);
  const epochMs = Number(record['@timestamp']);
  const parts = [
    Number.isFinite(epochMs) ? new Date(epochMs).toISOString().slice(11, 23) : '',
    level === '' ? '' : level.padEnd(5),
    text.replace(/[\n\r].*/s, ' …'),
    ...shown,
  ];
  return shortenText(parts.filter((part) => part !== '').join(' '), MAX_LINE_CHARACTERS);
}

/** The first line of a value, in quotes only if its end would be unclear. */
export function shownValue(value: string): string {
  return quoted(shortenText(value.replace(/[\n\r].*/s, ' …'), MAX_VALUE_CHARACTERS));
}

/** Escapes newlines and colors; adds quotes unless the text is a single word. */
export function quoted(text: string): string {
  return /^[^\s"=\p{Cc}]+$/u.test(text) ? text : JSON.stringify(text);
}
