import type { EventShape } from '../store/event-shape.ts';
import { readAttributes } from './attributes-text.ts';
import { TIMED_EVENT } from './event-form.ts';
import type { EventForms } from './event-forms.ts';
import { instantFromNumber, instantFromText } from './instant.ts';
import { type JsonCursor, refuse } from './json-cursor.ts';
import type { JsonStructure } from './json-structure.ts';

/** Where the parts of an event are in the text, and what they are. */
export interface EventText {
  readonly attributes: Attributes;
  readonly moment: Moment;
  /** The zone that is recorded with the event; `undefined` when it names none. */
  readonly timezone: string | undefined;
  readonly rawstring: Span | undefined;
}

/** A part of the text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Attributes extends Span {
  readonly shape: EventShape;
}

/** When an event happened. */
interface Moment {
  readonly epochMs: number;
  /** Nanoseconds below the millisecond. */
  readonly nanos: number;
  /** `undefined` where the event can name it in another place. */
  readonly timezone: string | undefined;
}

/** What is remembered of events from one request to the next. */
export interface KnownEvents {
  readonly structure: JsonStructure;
  readonly forms: EventForms;
}

/** Reads the event at the cursor: at one go if it is of a form that is known. */
export function readEvent(cursor: JsonCursor, known: KnownEvents): EventText {
  const members = new EventMembers(cursor, known);
  return members.read();
}

class EventMembers {
  readonly #cursor: JsonCursor;
  readonly #known: KnownEvents;
  #moment: Moment | undefined;
  #timezone: string | undefined;
  #attributes: Attributes | undefined;
  #rawstring: Span | undefined;

  constructor(cursor: JsonCursor, known: KnownEvents) {
    this.#cursor = cursor;
    this.#known = known;
  }

  read(): EventText {
    const cursor = this.#cursor;
    if (!this.#takesForm()) this.#readBeginning();
    while (cursor.takes(',')) this.#readMember();
    cursor.expect('}');
    const moment = this.#moment ?? refuse();
    const attributes = this.#attributes ?? refuse();
    const timezone = moment.timezone ?? this.#timezone;
    return { attributes, moment, timezone, rawstring: this.#rawstring };
  }

  /** Reads up to the end of the attributes, if the event is of a form that is known. */
  #takesForm(): boolean {
    const { forms } = this.#known;
    const cursor = this.#cursor;
    const form = forms.find(cursor.text, cursor.at);
    if (form === undefined) return false;
    cursor.at += TIMED_EVENT.length;
    this.#moment = { epochMs: cursor.readDigits(), nanos: 0, timezone: undefined };
    this.#timezone = form.timezone;
    this.#attributes = { shape: form.shape, start: cursor.at + form.middle.length, end: forms.end };
    cursor.at = forms.end;
    return true;
  }

  /** Reads what makes a form, as it may be that of many events to come, or else the first member. */
  #readBeginning(): void {
    const cursor = this.#cursor;
    cursor.expect('{');
    this.#readMember();
    if (this.#moment === undefined) return;
    const { at } = cursor;
    while (this.#attributes === undefined && this.#rawstring === undefined) {
      cursor.expect(',');
      this.#readMember();
    }
    if (this.#attributes === undefined) return;
    const middle = cursor.text.slice(at, this.#attributes.start);
    this.#known.forms.learn({ middle, timezone: this.#timezone, shape: this.#attributes.shape });
  }

  #readMember(): void {
    const cursor = this.#cursor;
    if (this.#moment === undefined && cursor.takes('"timestamp":')) this.#moment = this.#readMoment();
    else if (this.#attributes === undefined && cursor.takes('"attributes":')) this.#readAttributes();
    else if (this.#timezone === undefined && cursor.takes('"timezone":'))
      this.#timezone = cursor.readString();
    else if (this.#rawstring === undefined && cursor.takes('"rawstring":')) this.#readRawstring();
    else refuse();
  }

  #readMoment(): Moment {
    const cursor = this.#cursor;
    if (cursor.isAtString) return instantFromText(cursor.readString()) ?? refuse();
    const { epochMs, nanos } = instantFromNumber(cursor.readNumber()) ?? refuse();
    return { epochMs, nanos, timezone: undefined };
  }

  #readAttributes(): void {
    const cursor = this.#cursor;
    const start = cursor.at;
    const shape = readAttributes(cursor, this.#known.structure);
    this.#attributes = { shape, start, end: cursor.at };
  }

  #readRawstring(): void {
    const cursor = this.#cursor;
    const start = cursor.at + 1;
    this.#rawstring = { start, end: cursor.skipString() };
  }
}
