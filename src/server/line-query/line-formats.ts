import { isJsonObject } from '../../core/json-object.ts';
import { ENVELOPE } from '../../core/records/formats/envelopes.ts';
import { AUDIT, logfmtMatches } from '../../core/records/formats/logfmt.ts';
import { ACCESS_LOG, CRASH_MARKS } from '../../core/records/formats/text-formats.ts';
import { isAsWritten } from '../../core/records/log-line.ts';
import { LABELED_LEVELS } from '../../core/records/logger-line.ts';
import { TIME_FIELDS } from '../../core/records/record-fields.ts';
import { LEVEL_WORDS, levelName } from '../../core/records/severity.ts';
import { parseExactJson, renderExactJson } from '../../engine/index.ts';
import { AttributesLayouts, type ValuePlace } from '../ingest/attributes-layout.ts';
import { layoutPattern, PatternList } from '../ingest/event-patterns.ts';
import type { FieldLayout } from '../store/field-layout.ts';

/** The regular expression engine needs memory for long strings. */
const MAX_LENGTH = 1024 * 1024;
/** After 1,000 lines without a pattern, only every 16th of them is learned. */
const MANY_UNKNOWN = 1000;
const LEARN_EVERY = 16;

/** The start of JSON, logfmt or an access log. */
const MAYBE_LAYOUT = /^(?:\{(?!"log":")|[\w.-]+=|(?:\S+ )?[^\s,]+(?:, \S+)* - \S)/;
const ACCESS = new RegExp(ACCESS_LOG, 'd');
/** The field of a column. That of the time is the server's own, so no event gets the text. */
const fieldOf = (column: string): string => (column === 'time' ? '@timestamp' : column);
const ACCESS_COLUMNS = Object.fromEntries(
  [...ACCESS.source.matchAll(/\(\?<(\w+)>((?:[^()]|\([^()]*\))+)\)/g)].map(([, name, source]) => [
    fieldOf(name!),
    source!,
  ]),
);

/** Finds levels that may contain a string, although it is not in the line. */
export interface LevelSearch {
  /** In JSON: skips only what is plainly another string or another number. */
  readonly inJson: RegExp;
  /** In a line of text: any spelling of the level, or the line may have one in another form. */
  readonly inText: RegExp;
}

/** What lines share that differ only in their values. */
export interface LinePattern {
  readonly layout: FieldLayout;
  /** Captures the fields that the query reads. */
  regex: RegExp;
  /** The group of each field that the query reads; 0 if events with this layout lack it. */
  groups: readonly number[];
  /** Those of these fields that may have the time, by precedence. */
  times: readonly number[];
  /** Whether the value of each of these fields is a string. */
  isString: readonly boolean[];
}

export interface LineMatch {
  readonly pattern: LinePattern;
  /** The text of each captured value: a literal, or a string without its quotes, possibly with escapes. */
  readonly values: RegExpExecArray;
}

/**
 * The layouts of the lines of a file, and the fields that the query reads.
 *
 * One regular expression per layout proves that a line is JSON as `JSON.stringify` writes it, or logfmt, with exactly these
 * members, and captures the values that the query reads: five times as fast as parsing the line. Any other line is parsed.
 */
export class LineFormats {
  readonly #layouts = new AttributesLayouts(true);
  readonly #patterns = new PatternList<LinePattern>();
  readonly #fields = [...TIME_FIELDS];
  /** The index of the field `time`. */
  readonly time = this.read('time');
  readonly #levels = new Map<string, LevelSearch | undefined>();
  #unknown = 0;

  /** Number of fields that are read. */
  get size(): number {
    return this.#fields.length;
  }

  /** Has a field read from now on. @returns its index in a pattern */
  read(name: string): number {
    const known = this.#fields.indexOf(name);
    return known === -1 ? this.#fields.push(name) - 1 : known;
  }

  /** `undefined` if no level contains the string in another spelling. */
  levels(literal: string): LevelSearch | undefined {
    if (!this.#levels.has(literal)) this.#levels.set(literal, levelsWith(literal));
    return this.#levels.get(literal);
  }

  /** Reads a line of a known layout. */
  match(text: string, start: number, end: number): LineMatch | undefined {
    if (end - start > MAX_LENGTH) return undefined;
    let values: RegExpExecArray | null = null;
    const pattern = this.#patterns.find((tried) => {
      if (tried.groups.length !== this.#fields.length) this.#compile(tried);
      tried.regex.lastIndex = start;
      values = tried.regex.exec(text);
      return values !== null && tried.regex.lastIndex === end;
    });
    return pattern && { pattern, values: values! };
  }

  /** Remembers the layout of a line that didn't match. */
  learn(line: string): void {
    if (!MAYBE_LAYOUT.test(line) || AUDIT.test(line)) return;
    this.#unknown++;
    if (this.#unknown > MANY_UNKNOWN && this.#unknown % LEARN_EVERY !== 0) return;
    const layout = line.length > MAX_LENGTH ? undefined : this.#layoutOf(line);
    if (layout === undefined) return;
    const isOf = (pattern: LinePattern): boolean => pattern.layout === layout;
    const unread = { layout, regex: /(?!)/y, groups: [], times: [], isString: [] };
    this.#patterns.learn(layout, isOf, () => this.#compile(unread));
  }

  #layoutOf(line: string): FieldLayout | undefined {
    const pairs = logfmtMatches(line)?.map(({ 0: { length }, 1: name, 2: value, index }): ValuePlace => {
      return [name!, index + length - value!.length, index + length];
    });
    if (pairs !== undefined) return this.#layouts.layoutOf(line, pairs);
    const groups: Partial<RegExpIndicesArray['groups']> = ACCESS.exec(line)?.indices?.groups;
    const columns = Object.entries(groups ?? {}).flatMap(([name, place]): readonly ValuePlace[] =>
      place === undefined ? [] : [[fieldOf(name), ...place]],
    );
    if (columns.length > 0) return this.#layouts.layoutOf(line, columns, ACCESS_COLUMNS);
    try {
      const value = parseExactJson(line);
      return isJsonObject(value) && isAsWritten(value) && renderExactJson(value) === line
        ? this.#layouts.layoutOf(value)
        : undefined;
    } catch (error) {
      // A RangeError means nesting too deep to serialize.
      if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
      throw error;
    }
  }

  #compile(pattern: LinePattern): LinePattern {
    const { layout } = pattern;
    const places = this.#fields.map((name) => layout.placeOf(name));
    const captured = layout.names.map((_, place) => places.includes(place));
    const groupOf = (place: number): number => captured.slice(0, place + 1).filter(Boolean).length;
    pattern.regex = new RegExp(layoutPattern(layout, captured), 'y');
    pattern.groups = places.map((place) => (place === undefined ? 0 : groupOf(place)));
    pattern.times = [...TIME_FIELDS.keys()].filter((field) => pattern.groups[field] !== 0);
    pattern.isString = places.map((place) => place !== undefined && layout.isString[place]!);
    return pattern;
  }
}

/** A string that a level contains has only letters, so it needs no escaping. */
function levelsWith(literal: string): LevelSearch | undefined {
  const words = LEVEL_WORDS.filter((word) => levelName(word).includes(literal));
  if (words.length === 0) return undefined;
  const others = [...LABELED_LEVELS].flatMap(([level, label]) => (label.includes(literal) ? [] : [level]));
  return {
    // In logfmt, a level is always text. Lines of MongoDB and Docker have it elsewhere.
    inJson: new RegExp(`level(?:=|"(?!:"(?![^"]*${literal})\\D|:(?:${others.join('|')})[,}]))`, 'g'),
    inText: new RegExp(
      `^<|^[IWEF]\\d|[{=]|^(?:${ENVELOPE})|^(?:node:|file:|/|[A-Z]:\\\\)|${'error'.includes(literal) ? `${CRASH_MARKS}|` : ''}${words.join('|')}`,
      'i',
    ),
  };
}
