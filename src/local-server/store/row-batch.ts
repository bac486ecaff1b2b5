import { readField } from '../../query-engine/index.ts';
import type { EventBatch, ReadField } from './event-batch.ts';
import { type StoredEvent, timestampOf, weightOf } from './stored-event.ts';

/** Events that are kept as rows: each was made by itself, by a parser or from a file. */
export class RowBatch implements EventBatch {
  readonly #rows: readonly StoredEvent[];

  /** @param rows belong to the batch from here on, and are never changed again. */
  constructor(rows: readonly StoredEvent[]) {
    this.#rows = rows;
  }

  get length(): number {
    return this.#rows.length;
  }

  timestampAt(index: number): number {
    return timestampOf(this.#rows[index]!);
  }

  weightAt(index: number): number {
    return weightOf(this.#rows[index]!);
  }

  rowAt(index: number): StoredEvent {
    return this.#rows[index]!;
  }

  reader(name: string): ReadField {
    return (index) => readField(this.#rows[index]!, name);
  }

  isInText(): boolean {
    return false;
  }
}
