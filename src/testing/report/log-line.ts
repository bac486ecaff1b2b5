import { stripVTControlCharacters } from 'node:util';
import type { LogEvent } from '../../index.ts';
import { isCommonField } from '../../internal/logger-line.ts';

const MAX_VALUE_CHARACTERS = 80;
const MAX_LINE_CHARACTERS = 240;

const SHOWN_FIRST = ['level', 'message', 'msg'];

/** A record on one line: time (UTC), level, message, then the other fields. */
export function logLine(record: LogEvent): string {
  const level = record.level === undefined ? '' : String(record.level).padEnd(5);
  const fields = Object.entries(record).filter(
    ([name]) => !SHOWN_FIRST.includes(name) && !isCommonField(name),
  );
  const shown = fields.map(([name, value]) => `${name}=${shownValue(String(value))}`);
  const parts = [timeOf(record), level, messageOf(record), ...shown];
  return cut(parts.filter((part) => part !== '').join(' '), MAX_LINE_CHARACTERS);
}

/** The first line of a value, in quotes only if its end would be unclear. */
export function shownValue(value: string): string {
  return quoted(cut(value.replace(/[\n\r].*/s, ' …'), MAX_VALUE_CHARACTERS));
}

/** The same with all lines, if they are short. */
export function shownLines(value: string): string {
  return quoted(cut(value, MAX_VALUE_CHARACTERS));
}

/** Escapes newlines and colors; adds quotes unless the text is a single word. */
export function quoted(text: string): string {
  return /^[^\s"=\p{Cc}]+$/u.test(text) ? text : JSON.stringify(text);
}

function timeOf(record: LogEvent): string {
  const epochMs = Number(record['@timestamp']);
  return Number.isFinite(epochMs) ? new Date(epochMs).toISOString().slice(11, 23) : '';
}

function messageOf(record: LogEvent): string {
  const text = record.message ?? record.msg;
  if (text !== undefined) return stripVTControlCharacters(String(text)).replace(/[\n\r].*/s, ' …');
  // A line of text without fields.
  const raw = String(record['@rawstring'] ?? '');
  return raw.startsWith('{') ? '' : raw.replace(/[\n\r].*/s, ' …');
}

export function cut(text: string, maxCharacters: number): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text;
}
