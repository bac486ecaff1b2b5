import { EventList } from '../store/event-list.ts';
import type { Stretch } from '../store/event-store.ts';

/** Stretches of several stores as one, in the order of time; made when somebody looks at the events. */
export class MergedStretch implements Stretch {
  readonly start = 0;
  readonly end: number;
  /** Those of a store follow one another. */
  readonly #parts: readonly Stretch[];
  #events: EventList | undefined;

  constructor(parts: readonly Stretch[]) {
    this.#parts = parts;
    this.end = parts.reduce((sum, { start, end }) => sum + end - start, 0);
  }

  get events(): EventList {
    this.#events ??= merged(this.#parts);
    return this.#events;
  }

  /** Whether it is made of the same events: a list in a store grows at its end, and never changes otherwise. */
  isOf(parts: readonly Stretch[]): boolean {
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
function merged(parts: readonly Stretch[]): EventList {
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

/** The time of an event of a stretch, epoch milliseconds. */
export function timeAt({ events }: Stretch, index: number): number {
  return events.timeAt(index);
}

/** The index of the first event of a stretch at or after `time`. */
export function indexFrom(stretch: Stretch, time: number): number {
  let low = stretch.start;
  let high = stretch.end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timeAt(stretch, middle) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
