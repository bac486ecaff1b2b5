import { ACCESS_SEAM } from '../../core/records/formats/text-formats.ts';
import { COLOR, isPlain, plainLine } from '../../core/records/formats/text-line.ts';
import type { WrittenTimes } from '../../core/records/formats/written-times.ts';
import { readLogLine } from '../../core/records/log-line.ts';
import { isPlainObject, recordPlaces } from '../../core/records/log-records.ts';
import { integerOf, levelLabel } from '../../core/records/logger-line.ts';
import { TIME_SOURCE } from '../../core/records/record-fields.ts';
import { LEVEL_NAMES } from '../../core/records/severity.ts';
import {
  type Column,
  computedValues,
  type EventTable,
  type Fields,
  memoizeLast,
  missingColumn,
  type OfEvent,
  readField,
} from '../../engine/index.ts';
import { type FieldLayout, NO_LAYOUT, PLAIN_LAYOUT } from '../store/field-layout.ts';
import { lineEvent, UNKNOWN_TIME } from './line-event.ts';
import type { LineFormats, LineMatch } from './line-formats.ts';

/** V8 copies shorter parts of a string; longer ones keep the whole string in memory. */
const MIN_SHARED_LENGTH = 13;
const BRACE = 0x7d;
const ESCAPE = '\u001b';
/** In an event that a query returned, this is a part of the line. */
const RAWSTRING = '@rawstring';
/** Escapes, colors and the start of the next part of a line can be within values. */
const BREAKS = new RegExp(String.raw`[\\\n]|${COLOR}|${RAWSTRING}`, 'g');
/** Objects of MongoDB and of journald (`"PRIORITY"`) have one of these, whose start is rare, and their level elsewhere. */
const OTHER_LEVELS = ['$date"', 'Y"'];
/** Whole numbers between these are epoch milliseconds. */
const MIN_MILLISECONDS = 1_000_000_000_000;
const MIN_MICROSECONDS = 100_000_000_000_000;
/** A stack has fewer lines. */
const MAX_LINES_BACK = 1000;
/** A file without times up to here probably has none. */
const MAX_FIRST_LINES = 8;

/** How the lines of a table get their times. */
export interface LineTimes {
  readonly times: WrittenTimes;
  /** The time of the last line before the table, epoch milliseconds; `undefined` if none has had a time. */
  readonly previous: number | undefined;
  /** The time of lines if neither these nor any line before has one. */
  readonly otherwise: OtherTime;
  /** Fields that all lines have. */
  readonly tags?: Fields | undefined;
}

/** A time that no line says. */
export interface OtherTime {
  /** Epoch milliseconds. */
  readonly time: number;
  readonly source: 'unknown' | 'arrival';
}

/** The time of lines of a file, or of lines that arrive now. @param modified when the file was written, if it is one */
export function otherTime(modified: number | undefined, now = Date.now()): OtherTime {
  return modified === undefined
    ? { time: now, source: 'arrival' }
    : { time: Math.floor(modified), source: 'unknown' };
}

/**
 * Records of lines as events. `count()` only finds their ends. A column reads its values from each line that
 * reaches it, and a row parses its line. Both return what {@link lineEvent} does, and nothing that they return keeps
 * the bytes in memory.
 *
 * Columns share the values of one line, so readers should ask for all values of a line before the next line.
 */
export class LineTable implements EventTable {
  /** A table that is kept would keep the whole text. */
  readonly isStable = false;
  readonly stored: this = this;
  readonly besideText = { field: 'level', values: LEVEL_NAMES };
  readonly #text: string;
  readonly #starts: readonly number[];
  readonly #ends: readonly number[];
  readonly #formats: LineFormats;
  readonly #times: WrittenTimes;
  readonly #previous: number | undefined;
  readonly #otherwise: OtherTime;
  readonly #tags: Fields;
  /** The last line whose time was found by walking back, and that time; `NaN` if there is none. */
  #walked: { readonly index: number; readonly time: number } | undefined;
  /** The line that was opened last: its match, or its fields if it has no known layout. */
  #opened = -1;
  #match: LineMatch | undefined;
  #openedFields: Fields | undefined;
  #fieldsRead = 0;
  readonly #hasEscape: (index: number) => boolean;
  readonly #hasColors: boolean;
  readonly #hasRawstring: boolean;
  readonly #hasAccess: boolean;
  /** Functions that read the same numbers, such as avg() and max(), share them. */
  readonly #numbers = new Map<string, OfEvent<number>>();

  /** @param text lines, without the last newline */
  constructor(text: string, formats: LineFormats, { times, previous, otherwise, tags }: LineTimes) {
    this.#text = text;
    this.#formats = formats;
    this.#times = times;
    this.#previous = previous;
    this.#otherwise = otherwise;
    this.#tags = { ...tags };
    const { starts, ends, hasParts } = recordPlaces(text);
    this.#starts = starts;
    this.#ends = ends;
    this.#hasAccess = text.includes(ACCESS_SEAM);
    this.#hasColors = text.includes(ESCAPE);
    this.#hasRawstring = text.includes(RAWSTRING);
    const hasBreaks = hasParts || this.#hasColors || this.#hasRawstring;
    this.#hasEscape = this.#lineSearch((from) =>
      hasBreaks ? placeOf(BREAKS, text, from) : text.indexOf('\\', from),
    );
  }

  /** Number of lines that are not blank. */
  get length(): number {
    return this.#starts.length;
  }

  /** Approximate memory, in bytes. */
  get bytes(): number {
    return this.#text.length + 16 * this.length;
  }

  column(name: string): Column {
    if (Object.hasOwn(this.#tags, name)) return computedValues(() => this.#tags[name]);
    // Free text searches some fields of events of each line. Only these escapes can be a part of their names.
    const [start] = /^@(?!timestamp$|timestamp.source$|rawstring$)\w*/.exec(name) ?? [];
    if (start !== undefined && !this.#text.includes(start) && !this.#text.includes('\\u'))
      return missingColumn;
    const at = this.#readerOf(name);
    const numbers = this.#numbers.get(name) ?? memoizeLast(computedValues(at).numberReader());
    this.#numbers.set(name, numbers);
    const column = { at, numberReader: () => numbers };
    if (name === '@timestamp' || name === TIME_SOURCE) return column;
    const mayContain = (literal: string) => this.#lineTest(literal, name === 'level');
    return name === RAWSTRING && !this.#hasRawstring
      ? { ...column, mayContain, glance: (index) => this.#line(index) }
      : { ...column, mayContain };
  }

  timeAt(index: number): number {
    return this.#knownTime(index) || this.#otherwise.time;
  }

  /** Where the time of a line is from if no line says one. */
  sourceAt(index: number): OtherTime['source'] | undefined {
    return Number.isNaN(this.#knownTime(index)) ? this.#otherwise.source : undefined;
  }

  /** The place, the layout and the own time of a line, for a reader that needs no fields; also the level of a plain line. */
  glanceAt(index: number) {
    const text = this.#text;
    const times = this.#times;
    const start = this.#starts[index]!;
    const end = this.#ends[index]!;
    // The values of another line are not those of the opened one.
    this.#opened = -1;
    const layout = this.#findLayout(index);
    if (layout !== undefined) return { layout, start, end, time: this.#writtenTime(), level: undefined };
    const first = times.at(text, start);
    const isTimed = first !== undefined && !this.#hasAccess;
    const isColored = this.#hasColors && this.#line(index).includes(ESCAPE);
    if (isPlain(text, start, isTimed ? times.end : start) && !isColored)
      return { layout: PLAIN_LAYOUT, start, end, ...plainLine(text, start, end, times, first) };
    const { time } = readLogLine(this.#unknownLine(index), times);
    return { layout: NO_LAYOUT, start, end, time, level: undefined };
  }

  /** The time of the last lines that have one; that of `previous` if none has. Most tables end with such a line. */
  get lastTime(): number | undefined {
    const last = Math.max(0, this.length - (this.#previous === undefined ? MAX_FIRST_LINES : MAX_LINES_BACK));
    for (let index = this.length - 1; index >= last; index--) {
      const time = this.#ownTime(index);
      if (time !== undefined) return time;
    }
    return this.#previous;
  }

  row(index: number): Fields {
    const isOpen = index === this.#opened && this.#openedFields !== undefined;
    const row = isOpen ? this.#openedFields! : lineEvent(detached(this.#line(index)), this.#times, true);
    if (row['@timestamp'] === UNKNOWN_TIME) {
      const [time, source] = [this.timeAt(index), this.sourceAt(index)];
      row['@timestamp'] = String(time);
      if (source !== undefined) row[TIME_SOURCE] = source;
      // The time of the opened line would look like its own.
      this.#opened = -1;
    }
    return Object.assign(row, this.#tags);
  }

  /** A value without these breaks is in the line as it is. */
  isInText(index: number): boolean {
    return !this.#hasEscape(index);
  }

  /**
   * Whether a value of a line may contain a string: if the line does, or has an escape. A level also may if it is
   * a number whose label may contain the string, or another spelling of a level that does.
   */
  #lineTest(literal: string, isLevel: boolean): OfEvent<boolean> {
    const text = this.#text;
    const levels = isLevel ? this.#formats.levels(literal) : undefined;
    const isInLine = this.#lineSearch((from) =>
      levels === undefined ? text.indexOf(literal, from) : placeOf(levels.inJson, text, from),
    );
    const others = OTHER_LEVELS.map((mark) => this.#lineSearch((from) => text.indexOf(mark, from)));
    const isJson = (index: number): boolean =>
      isPlainObject(text, this.#starts[index]!) && text.charCodeAt(this.#ends[index]! - 1) === BRACE;
    const test = (index: number): boolean => {
      if (isInLine(index) || this.#hasEscape(index)) return true;
      if (levels === undefined) return false;
      return (
        others.some((isOther) => isOther(index)) || (!isJson(index) && levels.inText.test(this.#line(index)))
      );
    };
    const next = (index: number): number => {
      let found = index;
      while (found < this.length && !test(found)) found++;
      return found;
    };
    return Object.assign(test, { next });
  }

  /** Whether a line contains what `search` finds from a position on. Cheapest for lines in ascending order. */
  #lineSearch(search: (from: number) => number): (index: number) => boolean {
    const none = this.#text.length;
    let from = none + 1;
    let place = none;
    return (index) => {
      const start = this.#starts[index]!;
      if (start < from || place < start) {
        from = start;
        place = search(start);
        if (place === -1) place = none;
      }
      return place < this.#ends[index]!;
    };
  }

  #line(index: number): string {
    return this.#text.slice(this.#starts[index]!, this.#ends[index]!);
  }

  #readerOf(name: string): (index: number) => string | undefined {
    if (name === RAWSTRING) {
      const own = (index: number) => (this.#hasRawstring ? this.#open(index)?.[name] : undefined);
      return (index) => own(index) ?? detached(this.#line(index));
    }
    if (name === '@timestamp') return (index) => String(this.timeAt(index));
    if (name === TIME_SOURCE) return (index) => this.sourceAt(index);
    const field = this.#formats.read(name);
    const isLevel = name === 'level';
    return (index) => {
      const fields = this.#open(index);
      if (fields !== undefined) return readField(fields, name);
      return (isLevel ? this.#label(field) : undefined) ?? this.#valueOf(field);
    };
  }

  /** Finds the values of a line. @returns its fields if it has no known layout */
  #open(index: number): Fields | undefined {
    const formats = this.#formats;
    if (index !== this.#opened || formats.size !== this.#fieldsRead) {
      this.#opened = index;
      this.#fieldsRead = formats.size;
      const isUnknown = this.#findLayout(index) === undefined;
      this.#openedFields = isUnknown
        ? lineEvent(detached(this.#unknownLine(index)), this.#times, true)
        : undefined;
    }
    return this.#openedFields;
  }

  #findLayout(index: number): FieldLayout | undefined {
    this.#match = this.#formats.match(this.#text, this.#starts[index]!, this.#ends[index]!);
    const layout = this.#match?.pattern.layout;
    // Columns without a time are another line that happens to look alike.
    return layout?.columns !== undefined && this.#writtenTime() === undefined ? undefined : layout;
  }

  #unknownLine(index: number): string {
    const line = this.#line(index);
    this.#formats.learn(line);
    return line;
  }

  #valueOf(field: number): string | undefined {
    const text = this.#textOf(field);
    if (text === undefined || text.length < MIN_SHARED_LENGTH) return unescaped(text);
    return text.includes('\\') ? unescaped(text) : detached(text);
  }

  /** A value of the opened line, which has a known layout. */
  #textOf(field: number): string | undefined {
    const { pattern, values } = this.#match!;
    const group = pattern.groups[field]!;
    return group === 0 ? undefined : values[group];
  }

  /** The label of the level of pino and bunyan, of a line with a known layout. */
  #label(field: number): string | undefined {
    const level = this.#textOf(field);
    if (level === undefined) return undefined;
    const { hasMsg } = this.#match!.pattern.layout.labeled;
    return levelLabel(unescaped(level), unescaped(this.#textOf(this.#formats.time)), hasMsg);
  }

  #ownTime(index: number): number | undefined {
    const fields = this.#open(index);
    if (fields === undefined) return this.#writtenTime();
    const time = fields['@timestamp']!;
    return time === UNKNOWN_TIME ? undefined : Number(time);
  }

  #knownTime(index: number): number {
    return this.#ownTime(index) ?? this.#timeBefore(index);
  }

  /** A line without a time has that of the line before; the first lines have the first time. */
  #timeBefore(index: number): number {
    const walked = this.#walked !== undefined && this.#walked.index <= index ? this.#walked : undefined;
    let time: number | undefined;
    for (let before = index - 1; time === undefined && before >= (walked?.index ?? 0); before--) {
      time = before === walked?.index ? walked.time : this.#ownTime(before);
    }
    time ??= walked?.index === index ? walked.time : this.#previous;
    for (let after = index + 1; time === undefined && after < this.length; after++)
      time = this.#ownTime(after);
    this.#walked = { index, time: time ?? Number.NaN };
    return this.#walked.time;
  }

  #writtenTime(): number | undefined {
    for (const field of this.#match!.pattern.times) {
      const text = this.#textOf(field)!;
      // Nearly all times are milliseconds.
      const integer = this.#match!.pattern.isString[field] ? -1 : integerOf(text);
      if (integer >= MIN_MILLISECONDS && integer < MIN_MICROSECONDS) return integer;
      const time = this.#times.of(unescaped(text));
      if (time !== undefined) return time;
    }
    return undefined;
  }
}

/** Where a global pattern matches from a position on. */
function placeOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}

function unescaped(text: string | undefined): string | undefined {
  return text?.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}

/** A copy that doesn't keep the longer string in memory that it is a part of. */
function detached(text: string): string {
  return text.length < MIN_SHARED_LENGTH ? text : ` ${text}`.slice(1);
}
