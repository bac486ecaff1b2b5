import { requireTexts } from '../../../src/core/option-checks.ts';

/** Deeper values are replaced. */
const MAX_DEPTH = 8;

/** 1 to 100 characters, none of them a control character. `#` and `@` start the names of tags and of metadata. */
const FIELD_NAME = /^[^#@\p{Cc}][^\p{Cc}]{0,99}$/u;

type Fields = Readonly<Record<string, unknown>>;

/** Removes fields that a browser may not send, and bounds the depth of the others. */
export class FieldFilter {
  /** Number of removed fields and values. */
  removed = 0;
  readonly #allowed: ReadonlySet<string> | undefined;

  /** @throws LogOptionsException */
  constructor(owner: string, allowedFields: unknown) {
    if (allowedFields !== undefined)
      this.#allowed = new Set(requireTexts(owner, 'allowedFields', allowedFields));
  }

  apply(fields: Fields): Fields {
    const allowed = this.#allowed;
    return this.#members(fields, 1, (name) => allowed === undefined || allowed.has(name));
  }

  #members(object: Fields, depth: number, isAllowed = (_: string) => true): Fields {
    const members = Object.entries(object).filter(([name]) => FIELD_NAME.test(name) && isAllowed(name));
    this.removed += Object.keys(object).length - members.length;
    return Object.fromEntries(members.map(([name, value]) => [name, this.#value(value, depth)]));
  }

  #value(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= MAX_DEPTH) {
      this.removed++;
      return '[Cut]';
    }
    if (Array.isArray(value)) return value.map((item) => this.#value(item, depth + 1));
    return this.#members(value as Fields, depth + 1);
  }
}
