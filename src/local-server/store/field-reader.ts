import { parseNumber } from '../../query-engine/index.ts';
import type { FieldReader } from './event-batch.ts';
import type { ValueDictionary } from './value-dictionary.ts';

/** A field whose values are only known as texts of their own. */
export class TextReader implements FieldReader {
  readonly valueAt: (index: number) => string | undefined;

  constructor(valueAt: (index: number) => string | undefined) {
    this.valueAt = valueAt;
  }

  numberAt(index: number): number {
    return numberOf(this.valueAt(index));
  }

  idAt(index: number, dictionary: ValueDictionary): number {
    return dictionary.idOf(this.valueAt(index));
  }
}

/** A value as a number; `NaN` when it is missing or none. */
export function numberOf(value: string | undefined): number {
  return (value === undefined ? undefined : parseNumber(value)) ?? Number.NaN;
}
