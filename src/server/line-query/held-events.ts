import { LogException } from '../../core/errors.ts';
import { type EventSource, type Fields, type Sink, takeAll } from '../../engine/index.ts';
import { timestampOf, weightOf } from '../store/stored-event.ts';

/** Approximate size of an event without its text. */
const EVENT_OVERHEAD_BYTES = 200;

/** All events of an input, for a query that needs all of them at once. */
export class HeldEvents implements EventSource {
  readonly #maxBytes: number;
  readonly #why: string;
  readonly #events: Fields[] = [];
  #bytes = 0;

  /** @param why what needs them, for the error if they are too large. */
  constructor(maxBytes: number, why: string) {
    this.#maxBytes = maxBytes;
    this.#why = why;
  }

  /** @throws LogException with the code `LOG_TOO_LARGE` */
  add(event: Fields): void {
    this.#bytes += weightOf(event) + EVENT_OVERHEAD_BYTES;
    if (this.#bytes > this.#maxBytes) {
      throw new LogException(
        `${this.#why}, so all events must be kept in memory, and they exceed ${Math.round(this.#maxBytes / 1024 / 1024)} MiB.`,
        'LOG_TOO_LARGE',
      );
    }
    this.#events.push(event);
  }

  /** Sorted by time; the sort is stable. */
  sorted(): readonly Fields[] {
    return this.#events.sort((left, right) => timestampOf(left) - timestampOf(right));
  }

  read({ start, end }: { start: number; end: number }, sink: Sink): Generator<void> {
    const isWithin = (time: number): boolean => time >= start && time <= end;
    return takeAll(
      this.#events.filter((event) => isWithin(timestampOf(event))),
      sink,
    );
  }
}
