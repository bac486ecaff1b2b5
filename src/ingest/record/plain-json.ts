/** Larger values are left to `safeJsonObject`, which cuts them. */
const MAX_DEPTH = 16;
const MAX_VALUES = 1_000;
const MAX_CHARACTERS = 100_000;

/** Start of the escape that `JSON.stringify` writes for lone surrogates. */
const LONE_SURROGATE = '\\ud';

/** Serializes plain data of common size with the faster `JSON.stringify`; `undefined` for all other values. */
export function plainJson(value: object): string | undefined {
  try {
    if (!new PlainCheck().isPlain(value, 0)) return undefined;
    const text = JSON.stringify(value);
    return text.includes(LONE_SURROGATE) ? undefined : text;
  } catch {
    return undefined; // A getter or a proxy.
  }
}

/** Checks that a value consists of strings, finite numbers and similar values in plain objects and arrays. */
class PlainCheck {
  #valuesLeft = MAX_VALUES;
  #charactersLeft = MAX_CHARACTERS;

  isPlain(value: object, depth: number): boolean {
    if ('toJSON' in value || depth > MAX_DEPTH) return false;
    if (Array.isArray(value)) {
      return value.length <= this.#valuesLeft && value.every((item) => this.#isPlainValue(item, depth));
    }
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return false;
    for (const name in value) {
      this.#charactersLeft -= name.length;
      if (!this.#isPlainValue((value as Record<string, unknown>)[name], depth)) return false;
    }
    return true;
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
