import { countText } from '../../core/count-text.ts';
import { fieldHints } from '../../core/field-hints.ts';
import { fieldNames } from '../../core/records/field-names.ts';
import { fieldsOf } from '../../language/no-match-hints.ts';
import type { Row } from '../output/row-format.ts';
import type { Answer } from './answer.ts';
import type { EventSearch } from './arguments.ts';
import type { Logs } from './log-source.ts';

/** A name that is safe to repeat outside of the marked log content: no sentence has this form. */
const PLAIN_NAME = /^[#@]?[\w.[\]-]{1,40}$/;

/** Explains an empty result: whether there are events at all, and which fields of the query no event has. */
export async function noMatch(
  answer: Answer,
  what: string,
  logs: Logs,
  search: EventSearch,
): Promise<string> {
  answer.say(`${what} (${logs.place}).`);
  const { count, hints } = await unknownFields(logs, search);
  if (count === 0) {
    return answer.hint(
      'There are no events at all in this time range. Run the program, or search further back with start="7d".',
    ).text;
  }
  answer.hint(`The time range has ${countText(count, 'event')}, and none matches.`);
  for (const hint of hints) answer.hint(hint);
  return answer.hint(
    'Call "summary" for an overview, or with show="fields" for the fields and values that exist.',
  ).text;
}

/** The number of events of a time range, and hints for the fields of a query that none of them has. */
export async function unknownFields({ client }: Logs, { filter = '', range, signal }: EventSearch) {
  await using job = await client.createQueryJob<Row>('*', { ...range, signal, isLive: false });
  const { events, metadata } = await job.poll({ signal });
  const known = fieldNames(events).filter((name) => PLAIN_NAME.test(name));
  const count = events.length === 0 ? 0 : Math.max(metadata.processedEvents, events.length);
  return { count, hints: fieldHints(fieldsOf(filter), known).slice(0, 5) };
}
