import { EventList } from '../store/event-list.ts';
import type { EventRange } from '../store/event-store.ts';

/** Ranges of several stores as one, in the order of time; made when somebody looks at the events. */
export class MergedRange implements EventRange {
  readonly start = 0;
  readonly end: number;
  /** Those of a store follow one another. */
  readonly #parts: readonly EventRange[];
  #events: EventList | undefined;

  constructor(parts: readonly EventRange[]) {
    this.#parts = parts;
    this.end = parts.reduce((sum, { start, end }) => sum + end - start, 0);
  }

  get events(): EventList {
    this.#events ??= merged(this.#parts);
    return this.#events;
  }

  /** Whether it is made of the same events: a list in a store grows at its end, and never changes otherwise. */
  isOf(parts: readonly EventRange[]): boolean {
    return (
      parts.length === this.#parts.length &&
      parts.every(({ events, start, end }, index) => {
        const own = this.#parts[index]!;
        return own.events === events && own.start === start && own.end === end;
      })
    );
  }
}

/** Events of equal time come in the order of the parts. */
function merged(parts: readonly EventRange[]): EventList {
  const events = new EventList();
  const cursors = parts.map((part) => ({
    part,
    copy: events.copier(part.events),
    index: part.start,
    time: timeAt(part, part.start),
  }));
  while (cursors.length > 0) {
    let first = cursors[0]!;
    for (const cursor of cursors) if (cursor.time < first.time) first = cursor;
    first.copy(first.index++);
    if (first.index < first.part.end) first.time = timeAt(first.part, first.index);
    else cursors.splice(cursors.indexOf(first), 1);
  }
  return events;
}

export function timeAt({ events }: EventRange, index: number): number {
  return events.timeAt(index);
}

/** The index of the first event of a range at or after `time`. */
export function indexFrom(range: EventRange, time: number): number {
  let low = range.start;
  let high = range.end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timeAt(range, middle) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
