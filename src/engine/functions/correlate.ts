import { Correlation, type CorrelationOptions } from '../correlation/correlation.ts';
import { linksOf, searchOrder } from '../correlation/correlation-plan.ts';
import { type CorrelationQuery, correlationQueries } from '../correlation/correlation-query.ts';
import { MAX_ROWS } from '../run/row-limits.ts';
import {
  aggregates,
  durationMs,
  fieldNames,
  flag,
  integer,
  number,
  text,
} from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import { define, optional, unnamed, withDefault } from '../signature/function-spec.ts';

/** Finds combinations of events, one per query, that are linked by equal fields: one row each. */
export const correlate = define.aggregate({
  name: 'correlate',
  parameters: {
    queries: unnamed(correlationQueries),
    sequence: withDefault(flag, false),
    sequenceBy: withDefault(fieldNames, ['@timestamp']),
    within: optional(durationMs),
    globalConstraints: withDefault(fieldNames, []),
    jitterTolerance: optional(durationMs),
    maxPerRoot: withDefault(integer({ min: 1, max: MAX_ROWS }), 1),
    root: optional(text),
    includeMatchesOnceOnly: withDefault(flag, false),
    includeConstraintValues: withDefault(flag, true),
    // The service searches iteratively. Here all events are searched at once, so the limit has no effect.
    iterationLimit: optional(number),
    aggregation: optional(aggregates),
  },
  partial: ['`aggregation` is not supported.'],
  uncertain: [
    'A match never contains an event twice. If several events fit, the oldest is chosen.',
    'In a sequence, events with the same timestamp count as ordered.',
    'Without `<=>` and `within`, any event of a query matches any event of another.',
    'Each row contains the timestamps and IDs of all its events. The timestamp and ID of the root event also appear without a prefix.',
  ],
  compile(args, call) {
    const { queries, root: rootName, includeConstraintValues } = args;
    refuseNames(queries, call);
    if (args.aggregation !== undefined)
      call.fail('correlate(aggregation=…) is not supported by the local server', 'aggregation');
    const root = rootName === undefined ? 0 : queries.findIndex(({ name }) => name === rootName);
    if (root === -1) call.fail(`correlate() has no query "${rootName}"`, 'root');
    const links = linksOf(queries, (problem) => call.fail(problem));
    const options: CorrelationOptions = {
      queries,
      root,
      constraints: links.map((own) => [
        ...new Set([...own.map(({ field }) => field), ...args.globalConstraints]),
      ]),
      showsConstraints: includeConstraintValues,
      rankFields: args.sequenceBy,
      rules: { ...args, order: searchOrder(links, root) },
    };
    // With include=*, the columns depend on the events.
    return { columns: () => undefined, open: (run) => new Correlation(options, run) };
  },
});

function refuseNames(queries: readonly CorrelationQuery[], call: CallSite): void {
  if (queries.length < 2) call.fail('correlate() needs at least two queries');
  const names = queries.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) call.fail(`correlate() has two queries named "${twice}"`);
}
