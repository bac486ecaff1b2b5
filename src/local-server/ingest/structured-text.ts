import type { EventDefaults } from '../store/batch-index.ts';
import type { EventBatch } from '../store/event-batch.ts';
import { TextBatchBuilder } from '../store/text-batch-builder.ts';
import type { EventBuilder } from './event-builder.ts';
import { EventReader, type KnownEvents } from './event-reader.ts';
import { JsonCursor, refuse, UnusualTextError } from './json-cursor.ts';

/** How many events are read between two yields. */
const EVENTS_PER_STEP = 256;
/** More characters than an id has. */
const ID_ROOM = 100;
/** With more tags, the limit on the number of fields may be met. */
const MAX_TAGS = 50;

export interface StructuredTextOptions {
  readonly repository: string;
  readonly builder: Pick<EventBuilder, 'envelope' | 'takeIds' | 'maxEventBytes'>;
  readonly known: KnownEvents;
}

/**
 * Reads a structured request whose events can stay in its text: finds where each event is, which pattern it has and when
 * it happened. Six times as fast as `structuredEvents`, and the store keeps a fraction of the memory.
 *
 * @returns the batch of the events that `structuredEvents` would create; `undefined` for a request that is invalid or
 * written in an unusual way, which is left to `structuredEvents`.
 */
export function* structuredText(
  text: string,
  options: StructuredTextOptions,
): Generator<void, EventBatch | undefined> {
  try {
    return yield* new StructuredText(new JsonCursor(text), options).read();
  } catch (error) {
    if (error instanceof UnusualTextError) return undefined;
    throw error;
  }
}

class StructuredText {
  readonly #cursor: JsonCursor;
  readonly #options: StructuredTextOptions;
  readonly #event: EventReader;
  readonly #batch: TextBatchBuilder;
  /** The tags of the group, and what the server says of its events, by their time zone. */
  #tags: Readonly<Record<string, string>> = {};
  #envelopes = new Map<string, EventDefaults>();

  constructor(cursor: JsonCursor, options: StructuredTextOptions) {
    this.#cursor = cursor;
    this.#options = options;
    this.#event = new EventReader(cursor, options.known);
    this.#batch = new TextBatchBuilder(cursor.text);
  }

  *read(): Generator<void, EventBatch> {
    const cursor = this.#cursor;
    cursor.expect('[');
    do yield* this.#group();
    while (cursor.takes(','));
    cursor.expect(']');
    if (!cursor.isAtEnd) refuse();
    return this.#batch.build(this.#options.builder.takeIds(this.#batch.length));
  }

  *#group(): Generator<void> {
    const cursor = this.#cursor;
    cursor.expect('{');
    this.#envelopes = new Map();
    this.#tags = cursor.takes('"tags":') ? this.#readTags() : {};
    cursor.expect('"events":[');
    cursor.skipSpace();
    if (!cursor.takes(']')) {
      do {
        cursor.skipSpace();
        this.#addEvent();
        if (this.#batch.length % EVENTS_PER_STEP === 0) yield;
        cursor.skipSpace();
      } while (cursor.takes(','));
      cursor.expect(']');
    }
    cursor.expect('}');
  }

  #readTags(): Readonly<Record<string, string>> {
    const cursor = this.#cursor;
    const start = cursor.at;
    cursor.expect('{');
    let count = 0;
    if (!cursor.takes('}')) {
      do {
        cursor.skipString();
        cursor.expect(':');
        cursor.skipString();
        if (++count > MAX_TAGS) refuse();
      } while (cursor.takes(','));
      cursor.expect('}');
    }
    const tags = JSON.parse(cursor.text.slice(start, cursor.at)) as Record<string, string>;
    cursor.expect(',');
    return tags;
  }

  #addEvent(): void {
    const { builder } = this.#options;
    const event = this.#event;
    event.read();
    const weight = this.#batch.add(event, this.#envelopeOf(event.timezone ?? 'Z'));
    // A UTF-16 unit has at most three bytes. What may be too large is shortened elsewhere.
    if (weight === undefined || (weight + ID_ROOM) * 3 > builder.maxEventBytes) refuse();
  }

  #envelopeOf(timezone: string): EventDefaults {
    let envelope = this.#envelopes.get(timezone);
    if (envelope === undefined) {
      const { repository, builder } = this.#options;
      envelope = builder.envelope({ repository, type: 'none', tags: this.#tags }, timezone);
      this.#envelopes.set(timezone, envelope);
    }
    return envelope;
  }
}
