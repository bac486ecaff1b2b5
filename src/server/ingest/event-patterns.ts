import { escapeRegex } from '../../core/escape-regex.ts';
import type { FieldLayout } from '../store/field-layout.ts';

/** The start of an event whose time is first, as in nearly all events. */
export const TIMED_EVENT = '{"timestamp":';

/** Number of events or lines before their format gets a pattern. */
const MIN_SEEN = 8;
/** Patterns for more fields compile slowly. */
const MAX_FIELDS = 100;
const MAX_PATTERNS = 64;
const MAX_TRIED = 16;
const MAX_COUNTED = 1000;
/** Maximum number of escapes in a string: the regular expression engine keeps each of them on its stack. */
const MAX_ESCAPES = 10_000;

const PLAIN = '[^"\\\\\\x00-\\x1f]*';
const ESCAPE = '\\\\(?:["\\\\bfnrt]|u00(?:0[0-7be-f]|1[\\da-f]))';
/** The characters of a string as `JSON.stringify` writes them. */
const CHARACTERS = `${PLAIN}(?:${ESCAPE}${PLAIN}){0,${MAX_ESCAPES}}`;
const LITERAL = '(?:-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null)';
/** A value of logfmt without quotes. */
const WORD = '[!#-\\[\\]-~]*';
/** A line of ASCII without escapes. */
const PLAIN_LINE = '(?=[ -\\[\\]-~]*(?:[\\r\\n]|$))';
/** Epoch milliseconds with few enough digits to be exact, or ISO 8601. */
const TIME = '(?:[1-9]\\d{0,14}|"[^"\\\\\\x00-\\x1f]*")';

const string = new RegExp(`"${CHARACTERS}"`, 'y');

/** The end of the string that starts at a position; -1 unless it is written as by `JSON.stringify`. */
export function endOfString(text: string, start: number): number {
  string.lastIndex = start;
  return string.test(text) ? string.lastIndex : -1;
}

/** Events that differ only in their times and values. */
export interface EventForm {
  /** The text between the time and the attributes. */
  readonly middle: string;
  readonly timezone: string | undefined;
  readonly layout: FieldLayout;
}

/** A format whose events one regular expression recognizes: four times as fast as parsing them. */
interface EventPattern extends EventForm {
  readonly regex: RegExp;
}

/** Patterns of layouts. Those that matched last are tried first. */
export class PatternList<Pattern extends { readonly layout: FieldLayout }> {
  readonly #patterns: Pattern[] = [];
  readonly #seen = new Map<FieldLayout, number>();

  find(matches: (pattern: Pattern) => boolean): Pattern | undefined {
    const tried = Math.min(this.#patterns.length, MAX_TRIED);
    for (let index = 0; index < tried; index++) {
      const pattern = this.#patterns[index]!;
      if (!matches(pattern)) continue;
      if (index > 0) this.#patterns.unshift(...this.#patterns.splice(index, 1));
      return pattern;
    }
    return undefined;
  }

  /** Counts a layout that no pattern was found for. */
  learn(layout: FieldLayout, isKnown: (one: Pattern) => boolean, create: () => Pattern): void {
    if (layout.names.length > MAX_FIELDS) return;
    const known = this.#patterns.findIndex(isKnown);
    if (known !== -1) return void this.#patterns.unshift(...this.#patterns.splice(known, 1));
    if (this.#seen.size > MAX_COUNTED) this.#seen.clear();
    const seen = (this.#seen.get(layout) ?? 0) + 1;
    this.#seen.set(layout, seen % MIN_SEEN);
    if (seen < MIN_SEEN) return;
    if (this.#patterns.unshift(create()) > MAX_PATTERNS) this.#patterns.pop();
  }
}

export class EventPatterns {
  readonly #patterns = new PatternList<EventPattern>();
  /** The end of the attributes of the event that {@link find} found. */
  end = 0;

  /** The pattern of the event at a position. */
  find(text: string, at: number): EventPattern | undefined {
    const found = this.#patterns.find(({ regex }) => {
      regex.lastIndex = at;
      return regex.test(text);
    });
    if (found !== undefined) this.end = found.regex.lastIndex;
    return found;
  }

  /** Counts an event without a pattern. */
  learn({ middle, timezone, layout }: EventForm): void {
    const isKnown = (form: EventForm): boolean => form.layout === layout && form.middle === middle;
    this.#patterns.learn(layout, isKnown, () => {
      const source = escapeRegex(TIMED_EVENT) + TIME + escapeRegex(middle) + layoutPattern(layout);
      // A copy, because a slice would keep the whole request in memory.
      return { regex: new RegExp(source, 'y'), middle: Buffer.from(middle).toString(), timezone, layout };
    });
  }
}

/**
 * The source of a regular expression for the objects with a layout, as `JSON.stringify` writes them, or for lines of text.
 *
 * @param captured the values that have a group
 */
export function layoutPattern(
  { names, pieces, isString, isJson, columns }: FieldLayout,
  captured: readonly boolean[] = [],
): string {
  const values = isString.map((isText, place) => {
    const value = isText ? CHARACTERS : isJson ? LITERAL : (columns?.[names[place]!] ?? WORD);
    return captured[place] ? `(${value})` : `(?:${value})`;
  });
  const source = pieces.map((piece, place) => escapeRegex(piece) + (values[place] ?? '')).join('');
  return columns === undefined ? source : PLAIN_LINE + source;
}
