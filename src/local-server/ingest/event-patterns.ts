import type { FieldLayout } from '../store/field-layout.ts';
import { EventPattern } from './event-pattern.ts';

/** An event has to come so often before it is worth a pattern. */
const MIN_SEEN = 8;
/** A pattern for more fields than this takes long to make. */
const MAX_FIELDS = 100;
/** How many forms are remembered. */
const MAX_FORMS = 32;
/** How many forms are tried for one event. */
const MAX_TRIED = 4;
/** After so many events in vain more than others, it is not tried for some time. */
const MAX_MISSES = 100;
/** At first; then twice as long each time. */
const MIN_REST = 1_000;
const MAX_REST = 100_000;
/** Counts of how often shapes were seen are for the moment only. */
const MAX_COUNTS = 1_000;

/** What an event was like that has been read bit by bit. */
export type SeenEvent = Pick<EventPattern, 'middle' | 'timezone' | 'shape'>;

/** The forms of the events that come in most, each of which is recognized at one go. */
export class EventPatterns {
  /** The latest first. */
  readonly #forms: EventPattern[] = [];
  readonly #seen = new Map<FieldLayout, number>();
  #misses = 0;
  #rest = 0;
  #nextRest = MIN_REST;
  /** The end of the attributes of the event that was found last. */
  end = 0;

  /** The form of the event at a place of a text, if it is one of those; {@link end} has its end then. */
  find(text: string, at: number): EventPattern | undefined {
    if (this.#rest > 0) {
      this.#rest--;
      return undefined;
    }
    const forms = this.#forms;
    const tried = Math.min(forms.length, MAX_TRIED);
    for (let index = 0; index < tried; index++) {
      const form = forms[index]!;
      const end = form.endIn(text, at);
      if (end === undefined) continue;
      if (index > 0) this.#toFront(index);
      if (this.#misses > 0 && --this.#misses === 0) this.#nextRest = MIN_REST;
      this.end = end;
      return form;
    }
    if (++this.#misses > MAX_MISSES) this.#takeRest();
    return undefined;
  }

  /** Takes note of an event that was not found. */
  learn({ middle, timezone, shape }: SeenEvent): void {
    if (this.#rest > 0) return;
    const known = this.#forms.findIndex((form) => form.shape === shape && form.middle === middle);
    if (known !== -1) {
      this.#toFront(known);
      return;
    }
    if (shape.names.length > MAX_FIELDS) return;
    if (this.#seen.size > MAX_COUNTS) this.#seen.clear();
    const seen = (this.#seen.get(shape) ?? 0) + 1;
    this.#seen.set(shape, seen % MIN_SEEN);
    if (seen < MIN_SEEN) return;
    if (this.#forms.unshift(new EventPattern({ middle, timezone, shape })) > MAX_FORMS) this.#forms.pop();
  }

  #takeRest(): void {
    this.#misses = 0;
    this.#rest = this.#nextRest;
    this.#nextRest = Math.min(2 * this.#nextRest, MAX_REST);
  }

  #toFront(index: number): void {
    const forms = this.#forms;
    const form = forms[index]!;
    for (let place = index; place > 0; place--) forms[place] = forms[place - 1]!;
    forms[0] = form;
  }
}
