import { LEVEL_NAMES } from '../../core/records/severity.ts';
import type { Column, EventTable } from '../../engine/index.ts';
import type { EventBatch } from './event-batch.ts';
import { EventColumn } from './event-column.ts';
import type { StoredEvent } from './stored-event.ts';

/** Ordered events of several batches. Readers keep lists, so a list only grows at its end. */
export class EventList implements EventTable {
  readonly isStable = true;
  readonly stored: this = this;
  /** The batch of each event, and its index there. */
  readonly #batches: EventBatch[] = [];
  readonly #indexes: number[] = [];
  /** Each batch once. */
  readonly #sources = new Set<EventBatch>();
  readonly #columns = new Map<string, EventColumn>();

  get length(): number {
    return this.#indexes.length;
  }

  get besideText(): EventTable['besideText'] {
    const hasLabels = [...this.#sources].some((batch) => batch.hasLabels === true);
    return hasLabels ? { field: 'level', values: LEVEL_NAMES } : undefined;
  }

  push(batch: EventBatch, index: number): void {
    if (this.#batches.at(-1) !== batch) this.#sources.add(batch);
    this.#batches.push(batch);
    this.#indexes.push(index);
  }

  /** Adds the events of another list from place `start` up to, not including, `end`. */
  append(list: EventList, start: number, end: number): void {
    for (let place = start; place < end; place++) this.push(list.#batches[place]!, list.#indexes[place]!);
  }

  /** The place of the first event at or after `timestamp` among those from `start` to `end`, which are in order. */
  placeFrom(timestamp: number, start = 0, end = this.length): number {
    let low = start;
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.timeAt(middle) < timestamp) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  row(place: number): StoredEvent {
    return this.#batches[place]!.rowAt(this.#indexes[place]!);
  }

  timeAt(place: number): number {
    return this.#batches[place]!.timestampAt(this.#indexes[place]!);
  }

  batchAt(place: number): EventBatch {
    return this.#batches[place]!;
  }

  weightAt(place: number): number {
    return this.#batches[place]!.weightAt(this.#indexes[place]!);
  }

  isInText(place: number): boolean {
    return this.#batches[place]!.isInText(this.#indexes[place]!);
  }

  column(name: string): Column {
    let column = this.#columns.get(name);
    if (column === undefined) {
      const mayContain = (literal: string) => this.#mayContain(literal);
      const read = this.#ofBatches((batch) => batch.reader(name));
      column = new EventColumn(read, name === '@rawstring' ? mayContain : undefined);
      this.#columns.set(name, column);
    }
    column.extend(this.length);
    return column;
  }

  #mayContain(literal: string): ((place: number) => boolean) | undefined {
    const opened = new Map([...this.#sources].map((batch) => [batch, batch.mayContain?.(literal)]));
    if ([...opened.values()].every((test) => test === undefined)) return undefined;
    return this.#ofBatches((batch) => opened.get(batch) ?? (() => true));
  }

  /** A function of places, from one of indexes for each batch. Events of several batches can alternate. */
  #ofBatches<Result>(open: (batch: EventBatch) => (index: number) => Result): (place: number) => Result {
    const opened = new Map<EventBatch, (index: number) => Result>();
    let last: EventBatch | undefined;
    let read: ((index: number) => Result) | undefined;
    return (place) => {
      const batch = this.#batches[place]!;
      if (batch !== last) {
        last = batch;
        read = opened.get(batch) ?? open(batch);
        opened.set(batch, read);
      }
      return read!(this.#indexes[place]!);
    };
  }
}
