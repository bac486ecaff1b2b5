import { type NumberComparison, textComparison } from '../../language/diagnostics/text-comparison.ts';

const MAX_TEXTS = 3;
/** Reading text is slower than reading numbers, so only the first events are read. */
const MAX_READS = 100;

interface Texts {
  at(index: number): string | undefined;
  numberReader(): (index: number) => number;
}

/** What a function of numbers, or a comparison with one, has met in its field. */
export class ComparedField {
  hasNumber = false;
  readonly texts = new Set<string>();
  #reads = 0;

  /** Passes on the numbers of a column, and notes its strings. */
  taking(column: Texts, take: (number: number) => boolean): (index: number) => boolean {
    const numberAt = column.numberReader();
    return (index) => {
      const number = numberAt(index);
      if (!Number.isNaN(number)) {
        this.hasNumber = true;
        return take(number);
      }
      if (!this.hasNumber && this.#reads < MAX_READS && this.texts.size < MAX_TEXTS) {
        this.#reads += 1;
        const text = column.at(index);
        if (text !== undefined) this.texts.add(text);
      }
      return false;
    };
  }
}

/** Fields from which a query needs numbers. Warns if a field has only text, so that nothing can match. */
export class ComparedFields {
  readonly #fields = new Map<NumberComparison, ComparedField>();

  /** The state of a comparison, whose object is the key. */
  at(comparison: NumberComparison): ComparedField {
    const field = this.#fields.get(comparison) ?? new ComparedField();
    this.#fields.set(comparison, field);
    return field;
  }

  /** A warning for each comparison that met text only. */
  warnings(): readonly string[] {
    return [...this.#fields].flatMap(([comparison, { hasNumber, texts }]) => {
      if (hasNumber || texts.size === 0) return [];
      const { message, write } = textComparison(comparison, [...texts]);
      return write === undefined || comparison.use !== undefined ? message : `${message} Write ${write}.`;
    });
  }
}
