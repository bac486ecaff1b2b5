import { type CallNode, type QueryNode, walk } from '../../language/index.ts';

/** Functions whose result depends on the start and end of the interval before the last event. */
const ASKING = new Set(['start', 'end', 'window']);
const CHARTS = new Set(['timechart', 'bucket']);

/**
 * The first function of a query that needs the interval, as written in the query.
 *
 * @param isAny whether one that may read it is enough: charts with a span, and saved queries
 */
export function functionOfInterval(tree: QueryNode, isAny = false): string | undefined {
  let first: string | undefined;
  walk(tree, {
    Call(call) {
      const name = call.name.toLowerCase();
      if (ASKING.has(name) || (CHARTS.has(name) && (isAny || !hasSpan(call, name)))) first ??= call.name;
    },
    SavedQuery() {
      if (isAny) first ??= 'a saved query';
    },
  });
  return first;
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
