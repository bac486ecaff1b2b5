import type { CorrelationQuery } from './correlation-query.ts';

/** A field that must equal a field of another query, which is identified by its index. */
export interface Link {
  readonly field: string;
  readonly other: number;
  readonly otherField: string;
}

/** A query and its links to queries earlier in the search. */
export interface SearchStep {
  readonly query: number;
  readonly links: readonly Link[];
}

/** The links of each query, each listed for both of its ends. */
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

/** If both `a` and `a.b` are queries, `a.b.field` belongs to the longer name. */
function findTarget(queries: readonly CorrelationQuery[], path: string) {
  const rests = queries.map(({ name }) => (path.startsWith(`${name}.`) ? path.slice(name.length + 1) : ''));
  const [rest] = rests.filter((one) => one !== '').sort((a, b) => a.length - b.length);
  return rest === undefined ? undefined : { index: rests.indexOf(rest), rest };
}

/** The search order: from the root along the links, then queries without links. */
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
