import { isAscii } from 'node:buffer';
import type { EventBatch } from '../store/event-batch.ts';
import type { EventShape } from '../store/event-shape.ts';
import { type EventEnvelope, OWN_POSITIONS } from '../store/text-batch.ts';
import { TextBatchBuilder } from '../store/text-batch-builder.ts';
import type { EventBuilder } from './event-builder.ts';
import { type Instant, instantFromNumber, instantFromText } from './instant.ts';
import { JsonCursor, refuse, UnusualTextError } from './json-cursor.ts';
import { type CodeUnits, scanLiteral, scanString, UNUSUAL } from './json-scan.ts';
import { type JsonStructure, MAX_FIELDS } from './json-structure.ts';

/** How many events are read between two yields. */
const EVENTS_PER_STEP = 256;
/** More characters than an id has. */
const ID_ROOM = 100;
/** With more tags, the limit on the number of fields may be met. */
const MAX_TAGS = 50;

export interface StructuredTextOptions {
  readonly repository: string;
  readonly builder: EventBuilder;
  /** Remembers the forms of objects from one request to the next. */
  readonly structure: JsonStructure;
}

/** When an event happened; `timezone` is `undefined` where the event can name it in another place. */
type Moment = Pick<Instant, 'epochMs' | 'nanos'> & { readonly timezone: string | undefined };

/** What is known of the attributes of an event besides the positions of their values. */
interface Attributes {
  readonly shape: EventShape;
  /** The length of their text. */
  readonly textLength: number;
  /** The length of their values. */
  readonly valueLength: number;
}

/** Where a string is in the text, without its quotation marks. */
interface Span {
  /** Twice the index of its first character; one more when it has escapes. */
  readonly flaggedStart: number;
  readonly end: number;
  /** Without escapes. */
  readonly length: number;
}

/**
 * Reads a structured request as it is nearly always written, bit by bit: the events stay in their text, and one look at
 * each character says where their fields are.
 *
 * @param body the bytes of the text.
 * @returns `undefined` for a request that is written in another way, or is wrong: that is for `structuredEvents` to
 * tell. The events of a batch that is returned are those that `structuredEvents` makes.
 */
export function* structuredText(
  text: string,
  body: Uint8Array,
  options: StructuredTextOptions,
): Generator<void, EventBatch | undefined> {
  const codes = isAscii(body) ? body : unitsOf(text);
  try {
    return yield* new StructuredText(new JsonCursor(text, codes), options).read();
  } catch (error) {
    if (error instanceof UnusualTextError) return undefined;
    throw error;
  }
}

function unitsOf(text: string): CodeUnits {
  const units = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index++) units[index] = text.charCodeAt(index);
  return units;
}

const word = (text: string): Uint8Array => Buffer.from(text);

const COMMA = word(',');
const COLON = word(':');
const BEGIN_ARRAY = word('[');
const END_ARRAY = word(']');
const BEGIN_OBJECT = word('{');
const END_OBJECT = word('}');
const TAGS = word('"tags":');
const EVENTS = word('"events":[');
const TIMESTAMP = word('"timestamp":');
const TIMEZONE = word('"timezone":');
const ATTRIBUTES = word('"attributes":');
const RAWSTRING = word('"rawstring":');

class StructuredText {
  readonly #cursor: JsonCursor;
  readonly #options: StructuredTextOptions;
  readonly #batch = new TextBatchBuilder();
  /** The tags of the group, and what the server says of its events, by their time zone. */
  #tags: Readonly<Record<string, string>> = {};
  #envelopes = new Map<string, EventEnvelope>();
  /** Those of one event, as a batch has them. */
  readonly #positions = new Uint32Array(MAX_FIELDS + OWN_POSITIONS);

  constructor(cursor: JsonCursor, options: StructuredTextOptions) {
    this.#cursor = cursor;
    this.#options = options;
  }

  *read(): Generator<void, EventBatch> {
    const cursor = this.#cursor;
    cursor.expect(BEGIN_ARRAY);
    do yield* this.#group();
    while (cursor.takes(COMMA));
    cursor.expect(END_ARRAY);
    if (!cursor.isAtEnd) refuse();
    return this.#batch.build(cursor.text, this.#options.builder.takeIds(this.#batch.length));
  }

  *#group(): Generator<void> {
    const cursor = this.#cursor;
    cursor.expect(BEGIN_OBJECT);
    this.#envelopes = new Map();
    this.#tags = cursor.takes(TAGS) ? this.#readTags() : {};
    cursor.expect(EVENTS);
    if (!cursor.takes(END_ARRAY)) {
      do {
        this.#event();
        if (this.#batch.length % EVENTS_PER_STEP === 0) yield;
      } while (cursor.takes(COMMA));
      cursor.expect(END_ARRAY);
    }
    cursor.expect(END_OBJECT);
  }

  #readTags(): Readonly<Record<string, string>> {
    const cursor = this.#cursor;
    const start = cursor.at;
    cursor.expect(BEGIN_OBJECT);
    let count = 0;
    if (!cursor.takes(END_OBJECT)) {
      do {
        cursor.skipString();
        cursor.expect(COLON);
        cursor.skipString();
        if (++count > MAX_TAGS) refuse();
      } while (cursor.takes(COMMA));
      cursor.expect(END_OBJECT);
    }
    const tags = JSON.parse(cursor.text.slice(start, cursor.at)) as Record<string, string>;
    cursor.expect(COMMA);
    return tags;
  }

  #event(): void {
    const cursor = this.#cursor;
    let moment: Moment | undefined;
    let timezone: string | undefined;
    let attributes: Attributes | undefined;
    let rawstring: Span | undefined;
    cursor.expect(BEGIN_OBJECT);
    do {
      if (moment === undefined && cursor.takes(TIMESTAMP)) moment = this.#readMoment();
      else if (attributes === undefined && cursor.takes(ATTRIBUTES)) attributes = this.#readAttributes();
      else if (timezone === undefined && cursor.takes(TIMEZONE)) timezone = cursor.readString();
      else if (rawstring === undefined && cursor.takes(RAWSTRING)) rawstring = this.#readSpan();
      else refuse();
    } while (cursor.takes(COMMA));
    cursor.expect(END_OBJECT);
    if (moment === undefined || attributes === undefined) throw new UnusualTextError();
    if (rawstring !== undefined) {
      this.#positions[0] = rawstring.flaggedStart;
      this.#positions[1] = rawstring.end * 2;
    }
    this.#batch.positions.pushAll(this.#positions, attributes.shape.names.length + OWN_POSITIONS);
    this.#add(attributes, moment, moment.timezone ?? timezone ?? 'Z', rawstring?.length);
  }

  #add(
    { shape, valueLength, textLength }: Attributes,
    { epochMs: timestamp, nanos }: Moment,
    timezone: string,
    rawLength = textLength,
  ): void {
    const envelope = this.#envelopeOf(timezone);
    const length = valueLength + rawLength;
    // A UTF-16 unit has at most three bytes. What may be too large is shortened elsewhere.
    const units = length + shape.nameLength + envelope.weight + ID_ROOM;
    if (units * 3 > this.#options.builder.maxEventBytes) refuse();
    if (!this.#batch.add({ shape, envelope, timestamp, nanos, length })) refuse();
  }

  #envelopeOf(timezone: string): EventEnvelope {
    let envelope = this.#envelopes.get(timezone);
    if (envelope === undefined) {
      const { repository, builder } = this.#options;
      envelope = builder.envelope({ repository, type: 'none', tags: this.#tags }, timezone);
      this.#envelopes.set(timezone, envelope);
    }
    return envelope;
  }

  #readMoment(): Moment {
    const cursor = this.#cursor;
    if (cursor.isAtString) return instantFromText(cursor.readString()) ?? refuse();
    const text = cursor.readNumber();
    const { epochMs, nanos } = instantFromNumber(Number(text)) ?? refuse();
    return { epochMs, nanos, timezone: undefined };
  }

  #readSpan(): Span {
    const { text, at } = this.#cursor;
    const found = this.#cursor.skipString();
    const start = at + 1;
    const end = found < 0 ? ~found : found;
    const isEscaped = found < 0;
    return { flaggedStart: flagged(start, isEscaped), end, length: lengthOf(text, start, end, isEscaped) };
  }

  #readAttributes(): Attributes {
    const { codes, text, at: start } = this.#cursor;
    const { structure } = this.#options;
    const positions = this.#positions;
    let count = 2;
    let isVerbatim = true;
    let valueLength = 0;
    let at = start;
    for (let place = structure.start(); ; ) {
      place = structure.after(place, codes, at) ?? refuse();
      at += place.piece.length;
      const { shape } = place;
      if (shape !== undefined) {
        positions[0] = start * 2;
        positions[1] = flagged(at, isVerbatim);
        positions[count] = at * 2;
        this.#cursor.at = at;
        return { shape, valueLength, textLength: at - start };
      }
      const found = place.isString ? scanString(codes, at) : scanLiteral(codes, at);
      if (found === UNUSUAL) refuse();
      const isEscaped = found < 0;
      const end = isEscaped ? ~found : found;
      if (isEscaped) isVerbatim = false;
      positions[count++] = flagged(at, isEscaped);
      valueLength += lengthOf(text, at, end, isEscaped);
      at = end;
    }
  }
}

function flagged(position: number, flag: boolean): number {
  return position * 2 + (flag ? 1 : 0);
}

function lengthOf(text: string, start: number, end: number, isEscaped: boolean): number {
  if (!isEscaped) return end - start;
  return (JSON.parse(`"${text.slice(start, end)}"`) as string).length;
}
