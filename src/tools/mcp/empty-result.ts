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
  { client, place }: Logs,
  { filter = '', range, signal }: EventSearch,
): Promise<string> {
  answer.say(`${what} (${place}).`);
  await using job = await client.createQueryJob<Row>('*', { ...range, signal, isLive: false });
  const { events, metadata } = await job.poll({ signal });
  if (events.length === 0) {
    return answer.hint(
      'There are no events at all in this time range. Run the program, or search further back with start="7d".',
    ).text;
  }
  const known = fieldNames(events).filter((name) => PLAIN_NAME.test(name));
  const count = countText(Math.max(metadata.processedEvents, events.length), 'event');
  answer.hint(`The time range has ${count}, and none matches.`);
  for (const hint of fieldHints(fieldsOf(filter), known).slice(0, 5)) answer.hint(hint);
  return answer.hint(
    'Call "summary" for an overview, or with show="fields" for the fields and values that exist.',
  ).text;
}
