/** More than this is for who cuts it. */
const MAX_DEPTH = 16;
const MAX_VALUES = 1_000;
const MAX_CHARACTERS = 100_000;

/** How the engine writes half of a surrogate pair. */
const LONE_SURROGATE = '\\ud';

/**
 * The JSON text of plain data of common size, by the engine's own writer, which is faster than any of ours.
 *
 * @returns `undefined` for all else: what JSON has no form for, what brings a form of its own, what may throw.
 */
export function plainJson(value: object): string | undefined {
  try {
    if (!new PlainCheck().isPlain(value, 0)) return undefined;
    const text = JSON.stringify(value);
    return text.includes(LONE_SURROGATE) ? undefined : text;
  } catch {
    return undefined; // A getter or a proxy.
  }
}

/** Whether a value is strings, finite numbers and the like, in plain objects and arrays. */
class PlainCheck {
  #valuesLeft = MAX_VALUES;
  #charactersLeft = MAX_CHARACTERS;

  isPlain(value: object, depth: number): boolean {
    if ('toJSON' in value || depth > MAX_DEPTH) return false;
    if (Array.isArray(value)) return this.#arePlain(value, depth);
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return false;
    for (const name in value) {
      this.#charactersLeft -= name.length;
      if (!this.#isPlainValue((value as Record<string, unknown>)[name], depth)) return false;
    }
    return true;
  }

  #arePlain(values: readonly unknown[], depth: number): boolean {
    if (values.length > this.#valuesLeft) return false;
    return values.every((value) => this.#isPlainValue(value, depth));
  }

  #isPlainValue(value: unknown, depth: number): boolean {
    if (this.#valuesLeft-- <= 0) return false;
    switch (typeof value) {
      case 'string':
        this.#charactersLeft -= value.length;
        return this.#charactersLeft >= 0;
      case 'number':
        return Number.isFinite(value);
      case 'boolean':
      case 'undefined':
        return true;
      case 'object':
        return value === null || this.isPlain(value, depth + 1);
      default:
        return false;
    }
  }
}
