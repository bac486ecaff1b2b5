import { type CallNode, type QueryNode, walk } from '../../language/index.ts';

/** Functions whose result depends on the start and end of the interval before the last event. */
const ASKING = new Set(['start', 'end', 'window']);
const CHARTS = new Set(['timechart', 'bucket']);

/** The first function of a query that needs the interval, as written in the query. */
export function functionOfInterval(tree: QueryNode): string | undefined {
  let first: string | undefined;
  walk(tree, {
    Call(call) {
      const name = call.name.toLowerCase();
      if (ASKING.has(name) || (CHARTS.has(name) && !hasSpan(call, name))) first ??= call.name;
    },
  });
  return first;
}

/** Whether a query may read the start or end of the interval; a saved query may always do so. */
export function mayReadInterval(tree: QueryNode): boolean {
  let may = false;
  walk(tree, {
    Call({ name }) {
      may ||= ASKING.has(name.toLowerCase()) || CHARTS.has(name.toLowerCase());
    },
    SavedQuery() {
      may = true;
    },
  });
  return may;
}

/** Whether a chart has a span of its own, so that it needs no interval to choose one. */
function hasSpan(call: CallNode, name: string): boolean {
  return call.arguments.some((argument) => {
    const isSpan = argument.name === undefined ? name === 'bucket' : argument.name.name === 'span';
    const { value } = argument;
    const text = value.kind === 'Bareword' ? value.text : value.kind === 'String' ? value.value : 'auto';
    return isSpan && text.toLowerCase() !== 'auto';
  });
}
