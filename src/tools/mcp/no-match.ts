import { countText } from '../../core/count-text.ts';
import { fieldNames } from '../../core/records/field-names.ts';
import type { Row } from '../output/row-format.ts';
import { fieldHints, fieldsOf } from '../query/no-match.ts';
import type { rangeOf } from './arguments.ts';
import type { Logs } from './log-source.ts';

type Range = ReturnType<typeof rangeOf>;

/** A name that is safe to repeat outside of the marked log content: no sentence has this form. */
const PLAIN_NAME = /^[#@]?[\w.[\]-]{1,40}$/;

/** Sentences for an empty result: whether there are events at all, and which fields of the query no event has. */
export async function noMatchHints(
  { client }: Logs,
  query: string,
  range: Range,
  signal: AbortSignal,
): Promise<readonly string[]> {
  await using job = await client.createQueryJob<Row>('*', { ...range, signal, isLive: false });
  const { events, metadata } = await job.poll({ signal });
  if (events.length === 0) {
    return [
      'There are no events at all in this time range. Run the program, or search further back with start="7d".',
    ];
  }
  const known = fieldNames(events);
  const hints = fieldHints(
    fieldsOf(query),
    known.filter((name) => PLAIN_NAME.test(name)),
  );
  const count = countText(Math.max(metadata.processedEvents, events.length), 'event');
  return [
    `The time range has ${count}, and none matches.`,
    ...hints.slice(0, 5),
    'Call "fields" for the fields and values that exist, or "summary" for an overview.',
  ];
}
