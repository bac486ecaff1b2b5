import { NEWLINE as LF, OPEN_BRACKET, SPACE } from '../ascii.ts';
import { type Chunks, concatBytes, NO_BYTES, utf8Bytes, utf8Text } from '../bytes.ts';
import { isClosing, isOpening, valueEnd } from '../json-text.ts';
import { isPrinted, lineEnd, SILENCE, wholeLines } from '../line-splitter.ts';
import { keyFinder, lastKey } from '../secrets/private-key.ts';
import { tryOr } from '../try-or.ts';
import {
  CRI,
  ENVELOPE,
  envelopeAt,
  envelopeFinder,
  type PassedLines,
  passedLines,
  STAMP,
} from './formats/envelopes.ts';
import { logfmtPairs } from './formats/logfmt.ts';
import { CRASH, CRASH_LINES, CRASH_START, JAVA_HEAD, OWN_CRASH } from './formats/text-formats.ts';
import { COLOR, COLORS, startsWithTime, textLine } from './formats/text-line.ts';
import { loggedLine } from './logged-line.ts';
import { LEVEL_WORDS, severityOf } from './severity.ts';
import { JSON_START, structuredLines } from './structured-lines.ts';

/** A record has at most this many lines and bytes; the lines after these are the next one. */
const MAX_LINES = 1000;
const MAX_BYTES = 1024 * 1024;
/** What follows in a line does not decide whether it continues a record. */
const HEAD_BYTES = 400;
/** Lines of one layout start alike, for example with a year. */
const ALIKE = 5;
/** A record that may have a stack. */
const SEVERE = /^(?:warn|error|fatal)$/;

const BLANK = String.raw`[ \t\r]*(?:\n|$)`;
/** The name of an exception: of a package, or with a name that says so. */
const EXCEPTION = `(?:Uncaught |Unhandled exception\\. |Exception in thread "[^"\\n]*" )?(?:(?:[\\w$]+\\.)+[A-Z][\\w$]*|[\\w$]*(?:Error|Exception|Throwable|KeyboardInterrupt|SystemExit|StopIteration))(?=:[ \\r\\n]|:?${BLANK}| [[{(])`;
/** Starts a stack below the message of its record. */
const TITLE = `${EXCEPTION}|Traceback \\(|panic: |fatal error: `;
/** Is always part of a stack. */
const LINK = `Caused by: |During handling of |The above exception |goroutine \\d|\\.\\.\\. \\d+ more|\\[(?:signal SIG|UnhandledPromiseRejection: )|[}\\])]+[;,]?${BLANK}`;
/** Is part of a crash. */
const ENDING = String.raw`Node\.js v\d|stack backtrace:|note: [^\n]{0,50}RUST_`;
/** Neither a line of JSON nor one that starts with a date. */
const INDENTED = String.raw`[ \t]+(?!\{"|\[?\d{4}[-/]\d\d[-/]\d\d)[^ \t\r\n]`;
/** A function in a stack of Go; the next line has its place. */
const GO_FRAME = String.raw`created by |[\w./*()[\]{}-]+\(`;

const isIndented = testAt(INDENTED);
const isContinuation = testAt(`${INDENTED}|${LINK}|${TITLE}|${ENDING}|${GO_FRAME}`);
const isEnding = testAt(ENDING);
const isLink = testAt(LINK);
const isTitle = testAt(TITLE);
const isException = testAt(EXCEPTION);
const isCrash = testAt(CRASH);
const isOwnCrash = testAt(OWN_CRASH);
const isCrashStart = testAt(CRASH_START);
const crashLines = new RegExp(CRASH_LINES, 'y');
const isBracketOfStack = testAt(String.raw`\[(?:signal|Unhandled)`);
const isAboveGoFrame = testAt(String.raw`goroutine \d|\t`);
/** A title follows at once. */
const isAboveTitle = testAt('During handling of |The above exception ');
/** The first line of a stack, up to whose end the name of the exception follows. */
const isAboveException = testAt(`Traceback \\(|${CRASH_START}`);
const LEVEL = String.raw`(?:${COLOR})*\W?(?:${LEVEL_WORDS.join('|')})\b`;
const isLogged = testAt(String.raw`[\t\u001b -~]{0,64}?\d\d:\d\d|${LEVEL}`, 'iy');
const isLeveled = testAt(LEVEL, 'iy');
const isJavaHead = testAt(JAVA_HEAD);
const isCri = testAt(CRI);
const isStamped = testAt(STAMP);
const mayBePassed = testAt(ENVELOPE);
const isJson = testAt(String.raw`[ \t]*\{`);
/** A bracket alone may start JSON over several lines. */
const isJsonLine = testAt(String.raw`[ \t]*\{[ \t]*[^ \t\r\n]`);
const isBlank = testAt(BLANK);
const isOfJournal = testAt(String.raw`-- [A-Z][^\n]* --\s*$`);
/** Lines of which only the first and the last one, which is a bracket alone, are not indented. */
const BLOCK = /[{[]\r?\n(?:[ \t][^\n]*\n|\r?\n){1,998}[}\]][ \t\r]*(?:\n|$)/y;

function testAt(source: string, flags = 'y'): (text: string, at: number) => boolean {
  const regex = new RegExp(source, flags);
  return (text, at) => {
    regex.lastIndex = at;
    return regex.test(text);
  };
}

/**
 * The bytes of records that arrive together, without the last newline, which is between them. They are only valid until the next ones. A record is
 * a line, and the lines of text after it that continue it: those of a stack or a private key, and after a line that starts with a time, all
 * that have no time, level or fields of their own. The last record is complete when another one follows, at an empty
 * chunk, which yields {@link SILENCE}, and at the end.
 *
 * @param isText whether a parser reads the records: CSV and JSON in arrays stay as they are
 */
export async function* wholeRecords(chunks: Chunks, isText = false): AsyncGenerator<Uint8Array> {
  let open: Uint8Array = NO_BYTES;
  let isFirst = true;
  let isStart = true;
  for await (const bytes of wholeLines(isText ? chunks : structuredLines(chunks))) {
    if (bytes === SILENCE) {
      if (open.length > 0) yield open;
      isStart &&= open.length === 0;
      open = NO_BYTES;
      yield SILENCE;
      continue;
    }
    const lines = open.length === 0 ? bytes : concatBytes([open, Uint8Array.of(LF), bytes]);
    const found = openRecord(lines);
    // The first lines may have no time, and get that of the next one.
    const isHeld: boolean = found <= lines.length && (isFirst || (isStart && startOfTimes(lines) === found));
    isFirst = false;
    const start: number = isHeld ? 0 : found;
    if (start > 0) yield lines.subarray(0, start - 1);
    isStart &&= start <= 1;
    // Not `slice`, which does not copy the bytes of a `Buffer`.
    open = new Uint8Array(lines.subarray(start));
  }
  if (open.length > 0) yield open;
}

/** Where the first line starts that is JSON or starts with a time. */
function startOfTimes(lines: Uint8Array): number {
  let start = 0;
  for (; start < lines.length; start = lines.indexOf(LF, start) + 1 || lines.length + 1) {
    const line = utf8Text(lines.subarray(start, start + HEAD_BYTES));
    if (isJson(line, 0) || startsWithTime(line, 0)) break;
  }
  return start;
}

/** The records of a stream of UTF-8 chunks, without blank ones. */
export async function* splitRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  for await (const bytes of wholeRecords(chunks)) {
    const text = utf8Text(bytes);
    const { starts, ends } = recordPlaces(text);
    yield starts.map((start, index) => text.slice(start, ends[index]));
  }
}

/** Where JSON over several lines starts at the end of lines: below its first bracket, all lines are indented or the last bracket. */
function openBracket(lines: Uint8Array): number | undefined {
  let start = lines.length;
  do start = start < 2 ? 0 : lines.lastIndexOf(LF, start - 2) + 1;
  while (
    start > 0 &&
    (lines[start]! <= SPACE || isClosing(lines[start]!)) &&
    lines.length - start < MAX_BYTES
  );
  return isOpening(lines[start]!) && !(lines[start + 1]! > SPACE) ? start : undefined;
}

/** Where the last record starts, or one before it, if lines that follow may continue it; otherwise, after the end. */
function openRecord(lines: Uint8Array, before = lines.length): number {
  const found = openBracket(lines) ?? startOfOpen(lines);
  const key = lastKey(lines.subarray(0, before));
  if (key === undefined) return found;
  const { start, end } = key;
  if (found <= start || (found > end && end + 1 < lines.length)) return found;
  const newline = lines.indexOf(LF, start);
  return Math.min(start, openRecord(lines.subarray(0, newline === -1 ? lines.length : newline), start));
}

/** The same for lines in envelopes, of which the last one ends at `end`. */
function openPassed(lines: Uint8Array, end: number): number {
  const starts: number[] = [];
  let source: string | undefined;
  for (
    let next = end + 1;
    next > 0 && end - next < MAX_BYTES && starts.length < MAX_LINES;
    next = starts[0]!
  ) {
    const start = lines.subarray(0, next - 1).lastIndexOf(LF) + 1;
    const own = envelopeAt(utf8Text(lines.subarray(start, next - 1)), 0);
    if (own === undefined || own.source !== (source ?? own.source)) break;
    source = own.source;
    starts.unshift(start);
  }
  const passed = passedLines(utf8Text(lines.subarray(starts[0], end)), 0);
  if (passed === undefined) return end + 1;
  const inside = utf8Bytes(passed.text);
  const found = Math.min(openRecord(inside), passed.isPart ? inside.lastIndexOf(LF) + 1 : Infinity);
  const place = utf8Text(inside.subarray(0, found)).length;
  return found > inside.length ? end + 1 : starts[envelopeFinder(passed)(place)]!;
}

function startOfOpen(lines: Uint8Array): number {
  /** The last line that starts a record, unless it continues one that starts with a time. */
  let last: number | undefined;
  let count = 0;
  let end = lines.length;
  while (end >= 0 && lines.length - end < MAX_BYTES && count < MAX_LINES) {
    const start = end === 0 ? 0 : lines.lastIndexOf(LF, end - 1) + 1;
    // Neither JSON nor a time starts with such a letter, and most lines of plain text do.
    const isText = last !== undefined && count > 2 && isLetter(lines[start]!);
    const line = isText ? '' : utf8Text(lines.subarray(start, Math.min(end, start + HEAD_BYTES)));
    if (mayBePassed(line, 0)) {
      // A program may write such times itself, and then text without one.
      if (last !== undefined && !isStamped(line, 0)) return last;
      const open = openPassed(lines, end);
      return end === lines.length ? open : Math.min(open, start);
    }
    if (isJsonLine(line, 0)) return last ?? end + 1;
    else if (startsWithTime(line, 0)) return start;
    else if (last === undefined && !isBlank(line, 0) && !isContinuation(line, 0)) {
      // Below the first line of java.util.logging, a level is not the start.
      if (!isLeveled(line, 0) && isRecord(utf8Text(lines.subarray(start, end)))) return start;
      last = start;
    } else if (last !== undefined && count <= 2 && isCrashStart(line, 0)) last = start;
    if (last !== undefined) count++;
    end = start - 1;
  }
  return last ?? (end < 0 ? 0 : lines.length + 1);
}

/** Where the records that are not blank start and end, and whether any lines are in envelopes. */
export function recordPlaces(text: string, isText = false) {
  const starts: number[] = [];
  const ends: number[] = [];
  /** The last line of the last record, and how many it has. */
  let last = 0;
  let lines = 0;
  let hasParts = false;
  /** Whether the last record is a warning or an error; `undefined` until a crash follows. */
  let isSevere: boolean | undefined;
  /** Whether a crash below the last record is not its stack: programs print one at any time. */
  const isAlone = (start: number): boolean => {
    if (!isCrash(text, start) || isAboveTitle(text, last) || isCrash(text, starts.at(-1)!)) return false;
    if (isOwnCrash(text, start)) return true;
    isSevere ??= SEVERE.test(severityOf(loggedLine(text.slice(starts.at(-1), ends.at(-1))).level));
    return !isSevere;
  };
  const isBelowTime = (start: number, end: number): boolean => {
    const head = starts.at(-1)!;
    if (text.startsWith(text.slice(head, head + ALIKE), start) || !isTimed(text, head)) return false;
    if (isJson(text, start) || isBlank(text, start)) return false;
    return (last === head && isJavaHead(text, head)) || !isRecord(text.slice(start, end));
  };
  const keyEnd = keyFinder(text);
  for (let start = 0; start < text.length; ) {
    const isObject = isPlainObject(text, start);
    const passed = isObject || isText ? undefined : passedLines(text, start);
    if (passed !== undefined) {
      addPassed(passed, starts, ends);
      hasParts = true;
      [last, lines, isSevere, start] = [passed.places.at(-1)!.start, 1, undefined, passed.next];
      continue;
    }
    const isBracket = isOpening(text.charCodeAt(start)) && !(text.charCodeAt(start + 1) > SPACE);
    const after = isBracket ? takeObjects(text, start, starts, ends) : start;
    if (after > start) {
      [last, start] = [start, after];
      continue;
    }
    const end = lineEnd(text, start);
    const head = starts.at(-1);
    const hasRoom = head !== undefined && lines < MAX_LINES && end - head <= MAX_BYTES;
    const isBelow = hasRoom && !isObject && (continues(text, start, head, last) || isBelowTime(start, end));
    if (isBelow && (isIndented(text, start) || !isAlone(start))) {
      ends[ends.length - 1] = end;
      last = start;
      lines++;
    } else if (isPrinted(text.charCodeAt(start)) || text.slice(start, end).trim() !== '') {
      starts.push(start);
      ends.push(end);
      last = start;
      lines = 1;
      isSevere = undefined;
    }
    const blockEnd = keyEnd(start, end) ?? (lines === 1 ? crashEnd(text, start) : undefined);
    if (blockEnd !== undefined) ends[ends.length - 1] = blockEnd;
    start = text.indexOf('\n', blockEnd ?? end) + 1 || text.length;
  }
  return { starts, ends, hasParts };
}

/** Where the first lines of a crash end, if it starts here. */
function crashEnd(text: string, start: number): number | undefined {
  crashLines.lastIndex = start;
  return !isFirstOfMost(text.charCodeAt(start)) && crashLines.test(text) ? crashLines.lastIndex : undefined;
}

/** Adds the records of lines in envelopes. */
function addPassed(passed: PassedLines, starts: number[], ends: number[]): void {
  const inner = recordPlaces(passed.text);
  const find = envelopeFinder(passed);
  let last = -1;
  for (const [index, place] of inner.starts.entries()) {
    const first = find(place);
    // JSON over several lines can have the end of one object and the start of the next in a line.
    if (first !== last) starts.push(passed.places[first]!.start);
    else ends.pop();
    last = find(inner.ends[index]! - 1);
    ends.push(passed.places[last]!.end);
  }
}

/** Whether a line starts as an object that is no line of a container. */
export function isPlainObject(text: string, start: number): boolean {
  return text.startsWith('{"', start) && !(text.startsWith('log', start + 2) && text[start + 5] === '"');
}

/** Adds the objects of JSON over several lines. @returns where the next line starts, or `start` if there is no such JSON */
function takeObjects(text: string, start: number, starts: number[], ends: number[]): number {
  BLOCK.lastIndex = start;
  const block = BLOCK.exec(text)?.[0] ?? '';
  if (block.length > MAX_BYTES || !JSON_START.test(block)) return start;
  if (!tryOr(false, () => Boolean(JSON.parse(block)))) return start;
  for (let at = text.indexOf('{', start); at !== -1 && at < start + block.length; ) {
    starts.push(at);
    at = text.indexOf('{', ends[ends.push(valueEnd(text, at)) - 1]);
  }
  return start + block.length;
}

/** Whether a line continues the record that starts at `head` and has its last line at `last`, whatever precedes it. */
function continues(text: string, start: number, head: number, last: number): boolean {
  const first = text.charCodeAt(start);
  if (first <= SPACE) return isIndented(text, start) && !isJson(text, head);
  if (isFirstOfMost(first) && (first !== OPEN_BRACKET || !isBracketOfStack(text, start))) return false;
  if (!isContinuation(text, start) || isJson(text, head)) return false;
  if (isLink(text, start)) return true;
  if (isEnding(text, start)) return isCrash(text, head) || isTimed(text, head);
  if (!isTitle(text, start)) return isAboveGoFrame(text, last);
  if (isAboveTitle(text, last) || (isLogged(text, head) && !isException(text, head))) return true;
  return isException(text, start) && isAboveException(text, head);
}

/** Whether the record that starts here is text after a time. */
function isTimed(text: string, head: number): boolean {
  if (isLetter(text.charCodeAt(head))) return false;
  return !isJson(text, head) && !isCri(text, head) && startsWithTime(text, head);
}

/** Whether a line of text has a time, a level or fields of its own, or is one that journalctl adds. */
function isRecord(text: string): boolean {
  const plain = text.replaceAll(COLORS, '');
  if (isLeveled(plain, 0) || isOfJournal(plain, 0) || logfmtPairs(plain) !== undefined) return true;
  return textLine(plain).time !== undefined;
}

function isLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

/** Whether a line with this first character is no part of a stack: a digit, or a bracket other than `(`. */
function isFirstOfMost(code: number): boolean {
  return code === 0x7b || (code >= 0x30 && code <= 0x39) || code === 0x5b || code === 0x3c;
}
