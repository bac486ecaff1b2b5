import { readField } from '../../engine/index.ts';
import type { EventBatch, ReadField } from './event-batch.ts';
import { type StoredEvent, timestampOf, weightOf } from './stored-event.ts';

/** Events as rows, created one at a time by a parser or from a file. */
export class RowBatch implements EventBatch {
  readonly #rows: readonly StoredEvent[];

  /** @param rows must not be changed afterward. */
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
