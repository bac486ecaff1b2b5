import { groupedFragments } from './fragment/fragment-groups.ts';
import type { FragmentPart } from './fragment/fragment-part.ts';
import { placeOf } from './fragment/place-of-value.ts';
import { QueryTokens } from './fragment/query-tokens.ts';
import { valueText } from './fragment/value-text.ts';

/** One process can hold the ESM and the CommonJS copy of the package. No JSON has such a member. */
const PARTS = Symbol.for('logclient.query-fragment');

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

  /**
   * Returns the query string.
   *
   * @throws LogOptionsException for a value in a place where it can't be written as a literal.
   */
  toString(): string {
    this.#text ??= textOf(this[PARTS]);
    return this.#text;
  }

  /** Knows what another copy of the package has made. */
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
  // Anything but a string is refused by those who check the query.
  return isQueryFragment(query) ? query.toString() : query;
}

/** Whether a value was made by `lql`, by any copy of the package. */
export function isQueryFragment(value: unknown): value is QueryFragment {
  return typeof value === 'object' && value !== null && PARTS in value;
}

export function partsOf(fragment: QueryFragment): readonly FragmentPart[] {
  return fragment[PARTS];
}

function textOf(parts: readonly FragmentPart[]): string {
  const query = new QueryTokens(parts);
  const parentheses = parenthesesOf(query);
  let valueIndex = 0;
  return parts
    .map((part, index) => {
      if (part.kind === 'edge') return parentheses.get(index) ?? '';
      if (part.kind === 'text') return part.text;
      const token = query.values[valueIndex++]!;
      return valueText(part.value, part.isListed, placeOf(token, query));
    })
    .join('');
}

/** What to write at the edges of nested fragments. */
function parenthesesOf(query: QueryTokens): Map<number, string> {
  const written = new Map<number, string>();
  for (const { parts } of groupedFragments(query)) {
    written.set(parts[0], '(');
    written.set(parts[1], ')');
  }
  return written;
}
