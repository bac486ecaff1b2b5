import type { CorrelationQuery } from './correlation-query.ts';

/** A field of one query that must equal a field of another; queries are given by their index. */
export interface Link {
  readonly field: string;
  readonly other: number;
  readonly otherField: string;
}

/** A query and its links to queries that come before it in the search. */
export interface SearchStep {
  readonly query: number;
  readonly links: readonly Link[];
}

/** For each query its links, each of which is known to both of its ends. */
export function linksOf(
  queries: readonly CorrelationQuery[],
  fail: (problem: string) => never,
): readonly (readonly Link[])[] {
  const links: Link[][] = queries.map(() => []);
  for (const [query, { links: written }] of queries.entries()) {
    for (const { field, other } of written) {
      const { index, rest } =
        findTarget(queries, other) ?? fail(`correlate() has no query for the field "${other}"`);
      if (index === query) fail(`"${other}" is a field of the same query: link to a field of another query`);
      links[query]?.push({ field, other: index, otherField: rest });
      links[index]?.push({ field: rest, other: query, otherField: field });
    }
  }
  return links;
}

/** Of `a` and `a.b`, the longer name is meant in `a.b.field`. */
function findTarget(
  queries: readonly CorrelationQuery[],
  path: string,
): { readonly index: number; readonly rest: string } | undefined {
  let best: { index: number; rest: string } | undefined;
  for (const [index, { name }] of queries.entries()) {
    const rest = path.startsWith(`${name}.`) ? path.slice(name.length + 1) : '';
    if (rest !== '' && (best === undefined || rest.length < best.rest.length)) best = { index, rest };
  }
  return best;
}

/** The order in which to look for events: from the root along the links, then what nothing is linked with. */
export function searchOrder(links: readonly (readonly Link[])[], root: number): readonly SearchStep[] {
  const order: SearchStep[] = [];
  const placed = new Set<number>();
  const place = (query: number): void => {
    placed.add(query);
    const earlier = (links[query] ?? []).filter(({ other }) => other !== query && placed.has(other));
    order.push({ query, links: earlier });
  };
  place(root);
  while (placed.size < links.length) {
    const open = [...links.keys()].filter((query) => !placed.has(query));
    place(open.find((query) => links[query]?.some(({ other }) => placed.has(other))) ?? open[0]!);
  }
  return order;
}
