import type { FragmentPart } from './fragment/fragment-part.ts';
import { fragmentText } from './fragment/fragment-text.ts';

/** Shared by the ESM and the CommonJS copy of the package. JSON can't contain such a member. */
export const PARTS = Symbol.for('logclient.query-fragment');

/**
 * A query or a part of one, created by `lql`. Every client method that accepts a query string also accepts a fragment.
 * How a value is quoted depends on its context, so the query string is built on use.
 */
export class QueryFragment {
  readonly [PARTS]: readonly FragmentPart[];
  #text: string | undefined;

  /** Internal; use `lql`. */
  constructor(parts: readonly FragmentPart[]) {
    this[PARTS] = parts;
  }

  /** Returns the query string. @throws LogOptionsException for a value in a place where it can't be written as a literal. */
  toString(): string {
    this.#text ??= fragmentText(this[PARTS]);
    return this.#text;
  }

  /** Recognizes fragments of another copy of the package. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return isQueryFragment(value);
  }

  toJSON(): string {
    return this.toString();
  }
}

/** A query: a string, or a fragment created by `lql`. */
export type QueryText = string | QueryFragment;

/** @throws LogOptionsException see {@link QueryFragment.toString} */
export function queryStringOf(query: QueryText): string {
  // Other types are rejected when the query is checked.
  return isQueryFragment(query) ? query.toString() : query;
}

/** Whether a value was created by `lql` of any copy of the package. */
export function isQueryFragment(value: unknown): value is QueryFragment {
  return typeof value === 'object' && value !== null && PARTS in value;
}
