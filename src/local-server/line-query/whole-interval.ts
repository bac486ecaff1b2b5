import { type QueryNode, walk } from '../../query-language/index.ts';

/** Functions whose result depends on where the interval begins and ends. */
const ASKING = new Set(['timechart', 'bucket', 'start', 'end']);

/** The first function of a query that has to know the interval, by the name that the query has for it. */
export function functionOfInterval(tree: QueryNode): string | undefined {
  let found: string | undefined;
  walk(tree, {
    Call({ name }) {
      if (ASKING.has(name.toLowerCase())) found ??= name;
    },
  });
  return found;
}
