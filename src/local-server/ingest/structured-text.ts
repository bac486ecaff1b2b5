import { isAscii } from 'node:buffer';
import type { EventBatch } from '../store/event-batch.ts';
import { type EventEnvelope, OWN_POSITIONS } from '../store/text-batch.ts';
import { TextBatchBuilder } from '../store/text-batch-builder.ts';
import { type Attributes, readAttributes, readSpan, type Span } from './attributes-text.ts';
import type { EventBuilder } from './event-builder.ts';
import { type Instant, instantFromNumber, instantFromText } from './instant.ts';
import { JsonCursor, refuse, UnusualTextError } from './json-cursor.ts';
import type { CodeUnits } from './json-scan.ts';
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
      else if (attributes === undefined && cursor.takes(ATTRIBUTES))
        attributes = readAttributes(cursor, this.#options.structure, this.#positions);
      else if (timezone === undefined && cursor.takes(TIMEZONE)) timezone = cursor.readString();
      else if (rawstring === undefined && cursor.takes(RAWSTRING)) rawstring = readSpan(cursor);
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
    const epochMs = cursor.readShortInteger();
    if (epochMs !== undefined) return { epochMs, nanos: 0, timezone: undefined };
    return this.#readFraction();
  }

  #readFraction(): Moment {
    const text = this.#cursor.readNumber();
    const { epochMs, nanos } = instantFromNumber(Number(text)) ?? refuse();
    return { epochMs, nanos, timezone: undefined };
  }
}
