import type { TimeZone } from '../../core/time-zone.ts';
import { calendarStart } from '../time/calendar-span.ts';
import { lengthOfSpan, type Span } from './bucket-span.ts';

/**
 * Divides time into buckets. Their starts are multiples of the span on the wall clock of a time zone, or follow its
 * calendar.
 */
export class BucketGrid {
  readonly span: Span;
  /** The usual length of a bucket. */
  readonly spanMs: number;
  readonly #zone: TimeZone;
  /** The bucket of the previous time: events are ordered by time. */
  #start = Number.POSITIVE_INFINITY;
  #next = Number.NEGATIVE_INFINITY;

  constructor(span: Span, zone: TimeZone) {
    this.span = span;
    this.spanMs = lengthOfSpan(span);
    this.#zone = zone;
  }

  /** The start of the bucket that contains a time. Epoch milliseconds. */
  startOf(time: number): number {
    if (time >= this.#start && time < this.#next) return this.#start;
    this.#start = this.#findStart(time);
    this.#next = this.nextStart(this.#start);
    return this.#start;
  }

  /** The starts of all buckets from that of `from` to that of `to`. */
  *startsBetween(from: number, to: number): Generator<number, void, undefined> {
    for (let start = this.#findStart(from); start <= to; start = this.nextStart(start)) yield start;
  }

  nextStart(start: number): number {
    if (typeof this.span !== 'number') return calendarStart(this.span, start, this.#zone, 1);
    const next = this.#findStart(start + this.spanMs);
    // A day can have 25 hours.
    return next > start ? next : Math.max(this.#findStart(start + this.spanMs * 1.5), start + 1);
  }

  #findStart(time: number): number {
    if (typeof this.span !== 'number') return calendarStart(this.span, time, this.#zone);
    const offset = this.#zone.offsetAt(time);
    const local = Math.floor((time + offset) / this.spanMs) * this.spanMs;
    const start = local - offset;
    // The clocks may have changed since the bucket started.
    const offsetThen = this.#zone.offsetAt(start);
    return offsetThen === offset ? start : Math.min(local - offsetThen, time);
  }
}
