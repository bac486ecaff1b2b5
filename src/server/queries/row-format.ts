import { readField } from '../../engine/index.ts';
import { renderEvent, type StoredEvent } from '../store/stored-event.ts';

export interface RowFormat {
  readonly contentType: string;
  readonly head: string;
  row(row: StoredEvent, isFirst: boolean): string;
  readonly tail: string;
  /** Text that readers skip; absent if the format has none. */
  readonly keepAlive?: string;
}

export const NDJSON: RowFormat = {
  contentType: 'application/x-ndjson',
  head: '',
  row: (row) => `${renderEvent(row)}\n`,
  tail: '',
  keepAlive: '\n',
};

export const JSON_ARRAY: RowFormat = {
  contentType: 'application/json',
  head: '[',
  row: separatedRow(',\n'),
  tail: ']',
  keepAlive: '\n',
};

export const TEXT: RowFormat = {
  contentType: 'text/plain; charset=UTF-8',
  head: '',
  row: (row) => `${renderText(row)}\n`,
  tail: '',
};

export function separatedRow(separator: string): RowFormat['row'] {
  return (row, isFirst) => (isFirst ? renderEvent(row) : separator + renderEvent(row));
}

/** The format for an `Accept` header. Default: text. */
export function rowFormatFor(accept = ''): RowFormat {
  if (/\bapplication\/x-ndjson\b/i.test(accept)) return NDJSON;
  if (/\bapplication\/json\b/i.test(accept)) return JSON_ARRAY;
  return TEXT;
}

/** An event as text: its original text if it has one, otherwise its fields. */
function renderText(row: StoredEvent): string {
  const rawstring = readField(row, '@rawstring');
  if (rawstring !== undefined) return rawstring;
  return Object.entries(row)
    .map(([name, value]) => `${name}->${value}`)
    .join(', ');
}
