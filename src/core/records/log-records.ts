import { concatBytes, utf8Text } from '../bytes.ts';
import { SILENCE, wholeLines } from '../line-splitter.ts';
import { LEVEL_WORDS } from './severity.ts';
import { structuredLines } from './structured-lines.ts';

/** A record has at most this many lines and bytes; the lines after these are the next one. */
const MAX_LINES = 1000;
const MAX_BYTES = 1024 * 1024;
const LF = 0x0a;
const NEWLINE = Uint8Array.of(LF);
const NOTHING = new Uint8Array();
/** What follows in a line does not decide whether it continues a record. */
const HEAD_BYTES = 400;

// ASCII only, so that these find the same in bytes and in characters.
const BLANK = String.raw`[ \t\r]*(?:\n|$)`;
/** The name of an exception: of a package, or with a name that says so. */
const EXCEPTION = `(?:Uncaught |Unhandled exception\\. |Exception in thread "[^"\\n]*" )?(?:(?:[\\w$]+\\.)+[A-Z][\\w$]*|[\\w$]*(?:Error|Exception|Throwable|KeyboardInterrupt|SystemExit|StopIteration))(?=:[ \\r\\n]|:?${BLANK}| [[{(])`;
/** Starts a stack below the message of its record. */
const TITLE = `${EXCEPTION}|Traceback \\(|panic: |fatal error: `;
/** Is always part of a stack. */
const LINK = `Caused by: |During handling of |The above exception |goroutine \\d|\\.\\.\\. \\d+ more|[}\\])]+[;,]?${BLANK}`;
/** Neither a line of JSON nor one that starts with a date. */
const INDENTED = String.raw`[ \t]+(?!\{"|\[?\d{4}[-/]\d\d[-/]\d\d)[^ \t\r\n]`;
/** A function in a stack of Go; the next line has its place. */
const GO_FRAME = String.raw`created by |[\w./*()[\]{}-]+\(`;

const isContinuation = testAt(`${INDENTED}|${LINK}|${TITLE}|${GO_FRAME}`);
const isAlways = testAt(`${INDENTED}|${LINK}`);
const isTitle = testAt(TITLE);
const isException = testAt(EXCEPTION);
const isAboveGoFrame = testAt(String.raw`goroutine \d|\t`);
/** A title follows at once. */
const isAboveTitle = testAt('During handling of |The above exception ');
/** The first line of a stack, up to whose end the name of the exception follows. */
const isAboveException = testAt(`Traceback \\(|(?:node:|file:|/|[A-Z]:\\\\)[^ \\t\\r\\n]*:\\d+(?=[\\r\\n])`);
const isLogged = testAt(String.raw`[\t -~]{0,64}?\d\d:\d\d|\W?(?:${LEVEL_WORDS.join('|')})\b`, 'iy');
const isJson = testAt(String.raw`[ \t]*\{`);
const isBlank = testAt(BLANK);

function testAt(source: string, flags = 'y'): (text: string, at: number) => boolean {
  const regex = new RegExp(source, flags);
  return (text, at) => {
    regex.lastIndex = at;
    return regex.test(text);
  };
}

/**
 * The bytes of records that arrive together, without the last newline. They are only valid until the next ones. A record is
 * a line, and the lines of text after it that continue it, such as those of a stack. The last record is complete when
 * another one follows, at an empty chunk and at the end.
 */
export async function* wholeRecords(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let open: Uint8Array = NOTHING;
  let isFirst = true;
  for await (const bytes of wholeLines(structuredLines(chunks))) {
    const lines = open.length === 0 ? bytes : concatBytes([open, NEWLINE, bytes]);
    const found = bytes === SILENCE ? lines.length + 1 : startOfOpen(lines);
    // The first lines may have no time, and get that of the next one.
    const start = isFirst && found <= lines.length ? 0 : found;
    isFirst = false;
    if (start > 1) yield lines.subarray(0, start - 1);
    open = lines.slice(start);
  }
  if (open.length > 0) yield open;
}

/** The records of a stream of UTF-8 chunks, without blank ones. */
export async function* splitRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  for await (const bytes of wholeRecords(chunks)) {
    const text = utf8Text(bytes);
    const { starts, ends } = recordPlaces(text);
    yield starts.map((start, index) => text.slice(start, ends[index]));
  }
}

/** Where the last record starts if lines that follow may continue it; otherwise, after the end. */
function startOfOpen(lines: Uint8Array): number {
  let open = lines.length + 1;
  for (let end = lines.length; end >= 0 && lines.length - end < MAX_BYTES; end = open - 1) {
    const start = end === 0 ? 0 : lines.lastIndexOf(LF, end - 1) + 1;
    const line = utf8Text(lines.subarray(start, Math.min(end, start + HEAD_BYTES)));
    if (isJson(line, 0)) return open;
    open = start;
    if (!isBlank(line, 0) && !isContinuation(line, 0)) return open;
  }
  return open === 0 ? 0 : lines.length + 1;
}

/** Where records start and end in lines of text. */
interface RecordPlaces {
  readonly starts: number[];
  readonly ends: number[];
}

/** Finds the records that are not blank. @param decode makes a string of a part of the text */
export function recordPlaces(text: string, decode = (part: string): string => part): RecordPlaces {
  const starts: number[] = [];
  const ends: number[] = [];
  /** The last line of the last record, and how many it has. */
  let last = 0;
  let lines = 0;
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start);
    const next = newline === -1 ? text.length : newline;
    const end = next > start && text.charCodeAt(next - 1) === 0x0d ? next - 1 : next;
    const head = starts.at(-1);
    const hasRoom = head !== undefined && lines < MAX_LINES && end - head <= MAX_BYTES;
    if (hasRoom && continues(text, start, head, last)) {
      ends[ends.length - 1] = end;
      last = start;
      lines++;
    } else if (isPrinted(text.charCodeAt(start)) || decode(text.slice(start, end)).trim() !== '') {
      starts.push(start);
      ends.push(end);
      last = start;
      lines = 1;
    }
    start = next + 1;
  }
  return { starts, ends };
}

/** Whether a line continues the record that starts at `head` and has its last line at `last`. */
function continues(text: string, start: number, head: number, last: number): boolean {
  if (isFirstOfMost(text.charCodeAt(start)) || !isContinuation(text, start) || isJson(text, head))
    return false;
  if (isAlways(text, start)) return true;
  if (!isTitle(text, start)) return isAboveGoFrame(text, last);
  if (isAboveTitle(text, last) || (isLogged(text, head) && !isException(text, head))) return true;
  return isException(text, start) && isAboveException(text, head);
}

/** Whether a line with this first character never continues another one: a digit, or a bracket other than `(`. */
function isFirstOfMost(code: number): boolean {
  return code === 0x7b || (code >= 0x30 && code <= 0x39) || code === 0x5b || code === 0x3c;
}

/** Whether an ASCII character is no whitespace. */
function isPrinted(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}
