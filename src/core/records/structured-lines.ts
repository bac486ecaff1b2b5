import { type Chunks, concatBytes, NO_BYTES, utf8Bytes, utf8Text, withoutMark } from '../bytes.ts';
import { csvRowAt, type Separator } from '../csv-row.ts';
import { onOneLine, valueEnd } from '../json-text.ts';
import { tryOr } from '../try-or.ts';
import { LEVEL_FIELDS, MESSAGE_FIELDS, TIME_FIELDS } from './record-fields.ts';

/** The start of the input, which shows its form. */
const START_BYTES = 64 * 1024;
/** A longer row or object is text. */
const MAX_LENGTH = 8 * 1024 * 1024;

/** An array of objects or an empty one, or an object whose first member is in its second line. */
export const JSON_START = /^\s*(?:(?:\[\s*\{|\{[^\S\n]*\n)\s*["}]|\[\s*\]\s*$)/;
/** A shorter start of these. */
const MAYBE_JSON = /^\s*(?:\[\s*(?:\{\s*)?|\{\s*)?$/;
const BETWEEN_OBJECTS = /(?:\s*(?:[,[\]]\s*)*(?=\{|$)|[^\S\n]*\n)?/y;
/** The first line of `Export-Csv` in old versions of PowerShell. */
const CSV_TYPE = '#TYPE ';
/** A first line with nothing but names. */
const CSV_HEADER = /^(?:#TYPE [^\n]*\n)?[\w.@#()[\]/ ,;\t"-]+\r?(?:\n|$)/;
const COLUMN = /^(?:[A-Za-z_@#](?:[\w.@#()[\]/ -]*[\w)\]])?)?$/;
/** Names in lower case. */
const KNOWN_COLUMNS = new Set(
  [TIME_FIELDS, LEVEL_FIELDS, MESSAGE_FIELDS].flatMap((names) => names.map((name) => name.toLowerCase())),
);

/** Returns lines of JSON, and the rest of the text if that is incomplete. */
type Reader = (text: string, isEnd: boolean) => readonly [lines: string, rest: string];

/**
 * CSV with a header (commas, semicolons or tabs), arrays of JSON, and JSON over several lines become one line of JSON per
 * row or object. Any other text is unchanged, without its byte order mark. So are empty chunks.
 */
export async function* structuredLines(chunks: Chunks): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  let start: Uint8Array = NO_BYTES;
  let read: Reader | 'text' | undefined;
  let rest = '';
  for await (const chunk of chunks) {
    const isKnown = read !== undefined;
    if (!isKnown) start = concatBytes([start, chunk]);
    read ??= readerOf(start, false);
    const bytes = isKnown ? chunk : withoutMark(start);
    if (read === 'text') yield bytes;
    else if (read !== undefined) {
      const text = rest + decoder.decode(bytes, { stream: true });
      const [lines, others] = read(text, text.length > MAX_LENGTH);
      rest = others;
      if (lines !== '') yield utf8Bytes(lines);
    }
    if (read !== undefined && chunk.length === 0) yield chunk;
  }
  if (read === undefined && start.length > 0) {
    read = readerOf(start, true);
    if (typeof read === 'function') rest = utf8Text(withoutMark(start));
    else yield withoutMark(start);
  }
  if (typeof read === 'function' && rest !== '') yield utf8Bytes(read(rest, true)[0]);
}

/** Whether input with this start is CSV, or JSON other than one object per line. */
export function isStructured(start: Uint8Array): boolean {
  return readerOf(start, true) !== 'text';
}

/** `undefined` if the start is too short to know. @param isAll nothing follows for now */
function readerOf(start: Uint8Array, isAll: boolean): Reader | 'text' | undefined {
  const text = utf8Text(withoutMark(start).subarray(0, START_BYTES));
  const unknown = isAll || start.length >= START_BYTES ? 'text' : undefined;
  if (JSON_START.test(text)) return readObjects;
  // An incomplete byte order mark is an unknown character.
  if (MAYBE_JSON.test(text) || text.startsWith('\ufffd')) return unknown;
  if (!CSV_HEADER.test(text)) return 'text';
  const [separator = ','] = (/[,;\t]/.exec(text) ?? []) as readonly Separator[];
  const rows = [...rowsOf(text, separator, isAll)].map(({ cells }) => cells);
  const [header, ...others] = rows;
  const second = others.find((cells) => cells.length > 1 || !cells[0]!.includes('"'));
  const isHeader = header === undefined || (header.length > 1 && header.every((name) => COLUMN.test(name)));
  // Without a name that logs have, lines of text could be taken for rows.
  if (!isHeader || (header?.every((name) => !KNOWN_COLUMNS.has(name.toLowerCase())) ?? false)) return 'text';
  if (header === undefined || second === undefined) return unknown;
  return second.length === header.length ? rowReader(separator) : 'text';
}

/** Objects of an array, or one after the other; lines between them stay, and so does an object that was cut. */
function readObjects(text: string, isEnd: boolean): readonly [lines: string, rest: string] {
  let lines = '';
  for (let at = 0; ; ) {
    BETWEEN_OBJECTS.lastIndex = at;
    BETWEEN_OBJECTS.test(text);
    const start = BETWEEN_OBJECTS.lastIndex;
    if (start === text.length) return [lines, isEnd ? '' : text.slice(at)];
    const isObject = text[start] === '{';
    const close = isObject ? valueEnd(text, start) : start;
    const isJson = isObject && tryOr(false, () => Boolean(JSON.parse(text.slice(start, close))));
    const end = isJson ? close : text.indexOf('\n', close) + 1 || text.length;
    const part = text.slice(start, end);
    const isWhole = isJson || (close < text.length && part.endsWith('\n'));
    // If an object was cut, the next one starts at the start of a line.
    const next = isObject && !isJson ? part.indexOf('\n{', 1) + 1 : 0;
    if (!isWhole && next === 0 && !isEnd && end === text.length) return [lines, text.slice(start)];
    lines += isJson ? `${onOneLine(part)}\n` : part.slice(0, next || end);
    at = next === 0 ? end : start + next;
  }
}

/** A name for a column without its own, which no other column has. */
function numbered(name: string, index: number, others: readonly string[]): string {
  const own = `${name || 'column'}${index + 1}`;
  return others.includes(own) ? `${own}_` : own;
}

/** Rows as objects with the names of the first one. */
function rowReader(separator: Separator): Reader {
  let names: readonly string[] | undefined;
  return (text, isEnd) => {
    let lines = '';
    let at = 0;
    for (const { cells, end } of rowsOf(text, separator, isEnd)) {
      at = end;
      // The second column with a name gets its number, and so does one without a name.
      if (names === undefined)
        names = cells.map((name, index) =>
          name !== '' && cells.indexOf(name) === index ? name : numbered(name, index, cells),
        );
      // A line that is no row stays.
      else if (cells.length === 1) lines += `${cells[0]}\n`;
      else {
        const members = cells.map((cell, index) => [names![index] ?? numbered('', index, names!), cell]);
        lines += `${JSON.stringify(Object.fromEntries(members))}\n`;
      }
    }
    return [lines, text.slice(at)];
  };
}

/** The complete rows, and where each ends. Of a row with an unmatched quote, the first line is its only cell. */
function* rowsOf(text: string, separator: Separator, isAll: boolean) {
  for (let at = 0; at < text.length; ) {
    const found = csvRowAt(text, at, separator);
    const newline = text.indexOf('\n', at) + 1 || text.length;
    const row =
      typeof found === 'string' ? { cells: [text.slice(at, newline).trimEnd()], end: newline } : found;
    const isOpen = found === 'unclosed' || (row.end === text.length && !text.endsWith('\n'));
    if (isOpen && !isAll) return;
    if (!row.cells[0]!.startsWith(CSV_TYPE)) yield row;
    at = row.end;
  }
}
