import { type NumberComparison, textComparison } from '../../language/diagnostics/text-comparison.ts';

const MAX_TEXTS = 3;
/** Reading text is slower than reading numbers, so only the first events are read. */
const MAX_READS = 100;

/** What a comparison with a number has met in its field. */
export class ComparedField {
  hasNumber = false;
  readonly texts = new Set<string>();
  #reads = 0;

  /** Whether another text would make a difference. */
  get wantsText(): boolean {
    return !this.hasNumber && this.#reads < MAX_READS && this.texts.size < MAX_TEXTS;
  }

  add(text: string | undefined): void {
    this.#reads += 1;
    if (text !== undefined) this.texts.add(text);
  }
}

/** Fields that a query compares with numbers. Warns if a field has only text, so that nothing can match. */
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
      return write === undefined ? message : `${message} Write ${write}.`;
    });
  }
}
