import type { Column, EventTable } from '../../query-engine/index.ts';
import type { EventBatch, ReadField } from './event-batch.ts';
import { EventColumn } from './event-column.ts';
import type { StoredEvent } from './stored-event.ts';

const MIN_ROOM = 64;

type Numbers = Uint16Array | Uint32Array;

export class NumberList<T extends Numbers> {
  readonly #create: new (
    length: number,
  ) => T;
  #numbers: T;
  #length = 0;

  constructor(create: new (length: number) => T, room: number) {
    this.#create = create;
    this.#numbers = new create(Math.max(MIN_ROOM, room));
  }

  get length(): number {
    return this.#length;
  }

  push(number: number): void {
    if (this.#length === this.#numbers.length) this.#grow();
    this.#numbers[this.#length++] = number;
  }

  at(index: number): number {
    return this.#numbers[index]!;
  }

  #grow(): void {
    const larger = new this.#create(this.#numbers.length * 2);
    larger.set(this.#numbers);
    this.#numbers = larger;
  }
}

/** Ordered events of several batches. Readers keep lists, so a list only grows at its end. */
export class EventList implements EventTable {
  readonly #batches: EventBatch[] = [];
  readonly #numberOf = new Map<EventBatch, number>();
  readonly #batchOf: NumberList<Uint16Array>;
  readonly #indexOf: NumberList<Uint32Array>;
  readonly #columns = new Map<string, EventColumn>();

  constructor(room = 0) {
    this.#batchOf = new NumberList(Uint16Array, room);
    this.#indexOf = new NumberList(Uint32Array, room);
  }

  get length(): number {
    return this.#indexOf.length;
  }

  get isStable(): true {
    return true;
  }

  get stored(): this {
    return this;
  }

  push(batch: EventBatch, index: number): void {
    this.#batchOf.push(this.#numberFor(batch));
    this.#indexOf.push(index);
  }

  /** A function that appends an event of another list, by its index there. */
  copier(list: EventList): (place: number) => void {
    const numbers: (number | undefined)[] = [];
    return (place) => {
      const number = list.#batchOf.at(place);
      numbers[number] ??= this.#numberFor(list.#batches[number]!);
      this.#batchOf.push(numbers[number]);
      this.#indexOf.push(list.#indexOf.at(place));
    };
  }

  row(place: number): StoredEvent {
    return this.batchAt(place).rowAt(this.#indexOf.at(place));
  }

  timeAt(place: number): number {
    return this.batchAt(place).timestampAt(this.#indexOf.at(place));
  }

  batchAt(place: number): EventBatch {
    return this.#batches[this.#batchOf.at(place)]!;
  }

  weightAt(place: number): number {
    return this.batchAt(place).weightAt(this.#indexOf.at(place));
  }

  isInText(place: number): boolean {
    return this.batchAt(place).isInText(this.#indexOf.at(place));
  }

  column(name: string): Column {
    let column = this.#columns.get(name);
    if (column === undefined) {
      column = new EventColumn(this.#reader(name));
      this.#columns.set(name, column);
    }
    column.extend(this.length);
    return column;
  }

  isSame(place: number, other: EventList, otherPlace: number): boolean {
    return (
      this.batchAt(place) === other.batchAt(otherPlace) &&
      this.#indexOf.at(place) === other.#indexOf.at(otherPlace)
    );
  }

  /** Events of several batches can alternate. */
  #numberFor(batch: EventBatch): number {
    const last = this.#batches.length - 1;
    if (this.#batches[last] === batch) return last;
    const known = this.#numberOf.get(batch);
    if (known !== undefined) return known;
    this.#numberOf.set(batch, this.#batches.length);
    return this.#batches.push(batch) - 1;
  }

  #reader(name: string): ReadField {
    const readers: ReadField[] = [];
    return (place) => {
      const number = this.#batchOf.at(place);
      readers[number] ??= this.#batches[number]!.reader(name);
      return readers[number](this.#indexOf.at(place));
    };
  }
}
