import { groupedFragments } from './fragment/fragment-groups.ts';
import type { FragmentPart } from './fragment/fragment-part.ts';
import { placeOf } from './fragment/place-of-value.ts';
import { QueryTokens } from './fragment/query-tokens.ts';
import { valueText } from './fragment/value-text.ts';

/** One process can hold the ESM and the CommonJS copy of the package. No JSON has such a member. */
const PARTS = Symbol.for('logclient.query-fragment');

/**
 * A query, or a part of one, made by `lql`. Every method of a client that takes the text of a query takes it, too. How
 * a value has to be written depends on what stands around it, so that the text is made when it is asked for.
 */
export class QueryFragment {
  readonly [PARTS]: readonly FragmentPart[];
  #text: string | undefined;

  /** Not meant to be called: use `lql`. */
  constructor(parts: readonly FragmentPart[]) {
    this[PARTS] = parts;
  }

  /**
   * The text of the query.
   *
   * @throws LogOptionsException for a value at a place where it would not be a value any more.
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

/** The text of a query: as it is, or what `lql` makes. */
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
