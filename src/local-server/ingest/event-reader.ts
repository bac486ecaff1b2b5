import type { FieldLayout } from '../store/field-layout.ts';
import { NO_TEXT, type TextEvent } from '../store/text-event.ts';
import { readAttributes } from './attributes-text.ts';
import { TIMED_EVENT } from './event-pattern.ts';
import type { EventPatterns } from './event-patterns.ts';
import { instantFromNumber, instantFromText } from './instant.ts';
import { type JsonCursor, refuse } from './json-cursor.ts';
import type { ShapeTrie } from './shape-trie.ts';

/** What is remembered of events from one request to the next. */
export interface KnownEvents {
  readonly structure: ShapeTrie;
  readonly forms: EventPatterns;
}

/** Not there, or not yet. */
const NOWHERE = -1;

/**
 * Reads the events of a text, one after the other: at one go those of a form that is known. It is itself what is known
 * of the one that it has read last, since to make an object for each would take a good part of the time.
 */
export class EventReader implements TextEvent {
  readonly #cursor: JsonCursor;
  readonly #known: KnownEvents;
  #shape: FieldLayout | undefined;
  start = NOWHERE;
  end = NOWHERE;
  timestamp = NOWHERE;
  nanos = 0;
  textStart = NO_TEXT;
  textEnd = NO_TEXT;
  /** The zones that its time, if it is a text, and a member of its own name. */
  #zoneOfTime: string | undefined;
  #zone: string | undefined;

  constructor(cursor: JsonCursor, known: KnownEvents) {
    this.#cursor = cursor;
    this.#known = known;
  }

  get shape(): FieldLayout {
    return this.#shape!;
  }

  /** The zone that is recorded with the event; `undefined` when it names none. */
  get timezone(): string | undefined {
    return this.#zoneOfTime ?? this.#zone;
  }

  /** Reads the event at the cursor. */
  read(): void {
    const cursor = this.#cursor;
    this.#forget();
    if (!this.#takesForm()) this.#readBeginning();
    while (cursor.takes(',')) this.#readMember();
    cursor.expect('}');
    if (this.timestamp === NOWHERE || this.start === NOWHERE) refuse();
  }

  #forget(): void {
    this.start = NOWHERE;
    this.timestamp = NOWHERE;
    this.nanos = 0;
    this.textStart = NO_TEXT;
    this.#zoneOfTime = undefined;
    this.#zone = undefined;
  }

  /** Reads up to the end of the attributes, if the event is of a form that is known. */
  #takesForm(): boolean {
    const { forms } = this.#known;
    const cursor = this.#cursor;
    const form = forms.find(cursor.text, cursor.at);
    if (form === undefined) return false;
    cursor.at += TIMED_EVENT.length;
    this.timestamp = cursor.readDigits();
    this.#zone = form.timezone;
    this.#shape = form.shape;
    this.start = cursor.at + form.middle.length;
    this.end = forms.end;
    cursor.at = forms.end;
    return true;
  }

  /** Reads what makes a form, as it may be that of many events to come, or else the first member. */
  #readBeginning(): void {
    const cursor = this.#cursor;
    cursor.expect('{');
    this.#readMember();
    if (this.timestamp === NOWHERE) return;
    const { at } = cursor;
    while (this.start === NOWHERE && this.textStart === NO_TEXT) {
      cursor.expect(',');
      this.#readMember();
    }
    if (this.start === NOWHERE || this.#zoneOfTime !== undefined) return;
    const middle = cursor.text.slice(at, this.start);
    this.#known.forms.learn({ middle, timezone: this.#zone, shape: this.shape });
  }

  #readMember(): void {
    const cursor = this.#cursor;
    if (this.timestamp === NOWHERE && cursor.takes('"timestamp":')) this.#readMoment();
    else if (this.start === NOWHERE && cursor.takes('"attributes":')) this.#readAttributes();
    else if (this.textStart === NO_TEXT && cursor.takes('"rawstring":')) this.#readRawstring();
    else if (this.#zone === undefined && cursor.takes('"timezone":')) this.#zone = cursor.readString();
    else refuse();
  }

  #readMoment(): void {
    const cursor = this.#cursor;
    const isText = cursor.isAtString;
    const instant = isText ? instantFromText(cursor.readString()) : instantFromNumber(cursor.readNumber());
    const { epochMs, nanos, timezone } = instant ?? refuse();
    this.timestamp = epochMs;
    this.nanos = nanos;
    if (isText) this.#zoneOfTime = timezone;
  }

  #readAttributes(): void {
    const cursor = this.#cursor;
    this.start = cursor.at;
    this.#shape = readAttributes(cursor, this.#known.structure);
    this.end = cursor.at;
  }

  #readRawstring(): void {
    const cursor = this.#cursor;
    this.textStart = cursor.at + 1;
    this.textEnd = cursor.skipString();
  }
}
