import type { Row } from '../output/row-format.ts';

/** A known event. */
export interface EventPlace {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  readonly repository: string;
}

const MAX_REFS = 20_000;

/** Short names for events that were shown, because the IDs of the service are long. */
export class RowRefs {
  readonly #places = new Map<string, EventPlace>();
  readonly #refs = new Map<string, string>();
  #next = 1;

  /** The short name of an event, such as `e12`; empty for a row without an ID. */
  of(row: Row, repository: string): string {
    const { '@id': id, '@timestamp': timestamp } = row;
    if (typeof id !== 'string' || !Number.isFinite(Number(timestamp))) return '';
    const key = `${repository} ${id}`;
    const known = this.#refs.get(key);
    if (known !== undefined) return known;
    const ref = `e${this.#next++}`;
    this.#refs.set(key, ref);
    this.#places.set(ref, { id, timestamp: Number(timestamp), repository });
    const [oldest] = this.#places.size > MAX_REFS ? this.#places : [];
    if (oldest !== undefined) {
      this.#places.delete(oldest[0]);
      this.#refs.delete(`${oldest[1].repository} ${oldest[1].id}`);
    }
    return ref;
  }

  find(ref: string): EventPlace | undefined {
    return this.#places.get(ref);
  }
}
