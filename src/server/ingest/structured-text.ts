import { isJsonObject } from '../../core/json-object.ts';
import { isMarkedNumber, parseExactJson, renderExactJson } from '../../engine/index.ts';
import type { EventDefaults } from '../store/batch-index.ts';
import type { EventBatch } from '../store/event-batch.ts';
import { NO_TEXT, TextBatchBuilder, type TextEvent } from '../store/text-batch-builder.ts';
import { AttributesLayouts } from './attributes-layout.ts';
import type { EventBuilder } from './event-builder.ts';
import { EventPatterns, endOfString, TIMED_EVENT } from './event-patterns.ts';
import { instantFromText } from './instant.ts';
import { instantOf } from './json-line.ts';
import { endOfObject } from './json-sequence.ts';
import { numberOf } from './request-shape.ts';

const EVENTS_PER_STEP = 256;
/** Upper bound for the length of an ID. */
const ID_LENGTH = 100;
/** With more tags, an event may exceed the maximum number of fields. */
const MAX_TAGS = 50;

const MEMBERS = ['timestamp', 'timezone', 'attributes', 'rawstring'];
/** The order of members in events that patterns recognize. */
const PATTERN_ORDER = /^timestamp,(timezone,)?attributes(,rawstring)?$/;
const [ZERO, QUOTE] = [0x30, 0x22];

/** What earlier requests had: events of the same format are recognized instead of parsed. */
export class FormatCache {
  readonly layouts = new AttributesLayouts();
  readonly patterns = new EventPatterns();
}

export interface StructuredTextOptions {
  readonly repository: string;
  readonly builder: Pick<EventBuilder, 'takeIds' | 'maxEventBytes'> & {
    /** `undefined` if the events can't be read. */
    defaults(...group: Parameters<EventBuilder['defaults']>): EventDefaults | undefined;
  };
  readonly formats: FormatCache;
}

/**
 * Reads a structured request whose events can stay in its text: finds the position, layout and time of each event. Six
 * times as fast as `structuredEvents`, and the store needs a fraction of the memory.
 *
 * @returns the same events as `structuredEvents`; `undefined` for a request that is invalid or formatted in an unusual
 * way, which `structuredEvents` handles.
 */
export function structuredText(
  text: string,
  options: StructuredTextOptions,
): Generator<void, EventBatch | undefined> {
  return new StructuredText(text, options).read();
}

/** A method that can't read on returns `undefined`, or `false` if it reads no value. */
class StructuredText {
  readonly #text: string;
  readonly #options: StructuredTextOptions;
  readonly #batch: TextBatchBuilder;
  #at = 0;
  #tags: Readonly<Record<string, string>> = {};
  #defaults = new Map<string, EventDefaults>();

  constructor(text: string, options: StructuredTextOptions) {
    this.#text = text;
    this.#options = options;
    this.#batch = new TextBatchBuilder(text);
  }

  *read(): Generator<void, EventBatch | undefined> {
    if (!this.#takes('[')) return undefined;
    do if (!(yield* this.#readGroup())) return undefined;
    while (this.#takes(','));
    if (!this.#takes(']') || this.#at !== this.#text.length) return undefined;
    return this.#batch.build(this.#options.builder.takeIds(this.#batch.length));
  }

  *#readGroup(): Generator<void, boolean> {
    this.#defaults = new Map();
    if (!this.#takes('{') || !this.#readTags() || !this.#takes('"events":[')) return false;
    this.#skipSpace();
    if (this.#takes(']')) return this.#takes('}');
    do {
      this.#skipSpace();
      const event = this.#readKnown() ?? this.#readNew();
      if (event === undefined || !this.#addEvent(event)) return false;
      if (this.#batch.length % EVENTS_PER_STEP === 0) yield;
      this.#skipSpace();
    } while (this.#takes(','));
    return this.#takes(']}');
  }

  #readTags(): boolean {
    this.#tags = {};
    if (!this.#takes('"tags":')) return true;
    const tags = this.#readObject();
    const values = Object.values(tags ?? {});
    if (tags === undefined || values.length > MAX_TAGS || !values.every(isText)) return false;
    this.#tags = tags as Record<string, string>;
    return this.#takes(',');
  }

  #readKnown(): TextEvent | undefined {
    const { patterns } = this.#options.formats;
    const text = this.#text;
    const pattern = patterns.find(text, this.#at);
    if (pattern === undefined) return undefined;
    let at = this.#at + TIMED_EVENT.length;
    let timestamp = 0;
    let nanos = 0;
    let { timezone } = pattern;
    if (text.charCodeAt(at) === QUOTE) {
      const end = text.indexOf('"', at + 1);
      const instant = instantFromText(text.slice(at + 1, end));
      if (instant === undefined) return undefined;
      ({ epochMs: timestamp, nanos, timezone } = instant);
      at = end + 1;
    } else {
      for (let digit = text.charCodeAt(at) - ZERO; digit >= 0 && digit <= 9; ) {
        timestamp = timestamp * 10 + digit;
        digit = text.charCodeAt(++at) - ZERO;
      }
    }
    const start = at + pattern.middle.length;
    const { end } = patterns;
    const textStart = text.startsWith(',"rawstring":"', end) ? end + ',"rawstring":"'.length : NO_TEXT;
    const textEnd = textStart === NO_TEXT ? NO_TEXT : endOfString(text, textStart - 1) - 1;
    const last = textStart === NO_TEXT ? end : textEnd + 1;
    if (text[last] !== '}') return undefined;
    this.#at = last + 1;
    return { layout: pattern.layout, start, end, timestamp, nanos, timezone, textStart, textEnd };
  }

  /** Reads an event of a new format, with members in any order. */
  #readNew(): TextEvent | undefined {
    const { layouts, patterns } = this.#options.formats;
    const from = this.#at;
    const members = this.#readObject();
    const places = members && placesOf(members, this.#text, from);
    if (members === undefined || places === undefined) return undefined;
    const { timestamp, timezone, attributes, rawstring } = members;
    const instant = instantOf(timestamp);
    const layout = isJsonObject(attributes) ? layouts.layoutOf(attributes) : undefined;
    if (instant === undefined || layout === undefined) return undefined;
    if (timezone !== undefined && !isText(timezone)) return undefined;
    if (rawstring !== undefined && !isText(rawstring)) return undefined;
    const [start, end] = places.attributes!;
    const isIso = numberOf(timestamp) === undefined;
    if (PATTERN_ORDER.test(Object.keys(members).join())) {
      patterns.learn({ middle: this.#text.slice(places.timestamp![1], start), timezone, layout });
    }
    const [textStart, textEnd] = places.rawstring ?? [NO_TEXT, NO_TEXT];
    return {
      layout,
      start,
      end,
      timestamp: instant.epochMs,
      nanos: instant.nanos,
      timezone: isIso ? instant.timezone : timezone,
      textStart: textStart === NO_TEXT ? NO_TEXT : textStart + 1,
      textEnd: textEnd - 1,
    };
  }

  /** Reads the object at this position, which must be written as by `JSON.stringify`. */
  #readObject(): Readonly<Record<string, unknown>> | undefined {
    const start = this.#at;
    this.#at = endOfObject(this.#text, start) ?? start;
    if (this.#at - start > this.#options.builder.maxEventBytes) return undefined;
    const written = this.#text.slice(start, this.#at);
    try {
      const value = parseExactJson(written);
      if (isJsonObject(value) && renderExactJson(value) === written) return value as Record<string, unknown>;
    } catch (error) {
      // A RangeError means nesting too deep to serialize.
      if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    }
    return undefined;
  }

  #addEvent(event: TextEvent): boolean {
    const { builder } = this.#options;
    const defaults = this.#defaultsOf(event.timezone ?? 'Z');
    const weight = defaults && this.#batch.add(event, defaults);
    // A UTF-16 code unit has at most three bytes. `structuredEvents` truncates events that may be too large.
    return weight !== undefined && (weight + ID_LENGTH) * 3 <= builder.maxEventBytes;
  }

  #defaultsOf(timezone: string): EventDefaults | undefined {
    const known = this.#defaults.get(timezone);
    if (known !== undefined) return known;
    const { repository, builder } = this.#options;
    const defaults = builder.defaults({ repository, type: 'none', tags: this.#tags }, timezone);
    if (defaults !== undefined) this.#defaults.set(timezone, defaults);
    return defaults;
  }

  #takes(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  #skipSpace(): void {
    while (' \n\r\t'.includes(this.#text[this.#at] ?? '.')) this.#at++;
  }
}

/** The start and end of each member's value in the text of an event; `undefined` if it has an unknown member. */
function placesOf(
  members: Readonly<Record<string, unknown>>,
  text: string,
  from: number,
): Readonly<Partial<Record<string, readonly [start: number, end: number]>>> | undefined {
  if (!Object.keys(members).every((name) => MEMBERS.includes(name))) return undefined;
  const places: Record<string, readonly [number, number]> = {};
  let at = from;
  for (const [name, value] of Object.entries(members)) {
    const start = at + `{"${name}":`.length;
    // The attributes are long, so they are not written again.
    at = (name === 'attributes' && endOfObject(text, start)) || start + renderExactJson(value).length;
    places[name] = [start, at];
  }
  return places;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && !isMarkedNumber(value);
}
