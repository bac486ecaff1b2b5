import { type QueryNode, walk } from '../../query-language/index.ts';

/** Functions whose result depends on the start and end of the interval. */
const ASKING = new Set(['timechart', 'bucket', 'start', 'end']);

/** The first function of a query that needs the interval, as written in the query. */
export function functionOfInterval(tree: QueryNode): string | undefined {
  let found: string | undefined;
  walk(tree, {
    Call({ name }) {
      if (ASKING.has(name.toLowerCase())) found ??= name;
    },
  });
  return found;
}
