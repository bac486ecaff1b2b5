import { LineQuery } from 'logclient/line-query';
import { falseFields, resultFields } from 'logclient/query-language';
import { fittingEvent } from './fitting-events.mjs';

/** What a field of an event can be: missing, text, numbers in several forms, and huge. */
const VALUES = [undefined, '', 'x', '7', '-0.5', '007', '1e300', '12345678901234567890'];

/**
 * Runs a query without a server on no events, and on events that fit it except for one field, and checks its rows.
 *
 * @returns what the derived fields rule out, and whether there were rows; undefined if rows can have any field
 */
export async function variedRows({ query, facts }, options, random) {
  const fields = resultFields(query);
  if (fields === undefined) return undefined;
  const names = [...facts.fields.keys()].filter((name) => !name.startsWith('@'));
  const wrong = new Set();
  let hasRows = false;
  const inputs = [[], ...VALUES.map((value) => names.map((name) => lineOf(facts, name, value, random)))];
  for (const lines of inputs) {
    for await (const rows of new LineQuery(query, options).run(lines)) {
      for (const row of rows) for (const what of falseFields(fields, row)) wrong.add(what);
      hasRows ||= rows.length > 0;
    }
  }
  return { wrong: [...wrong], hasRows };
}

function lineOf(facts, name, value, random) {
  const { tags, events } = fittingEvent(facts, 0, random);
  const [{ attributes, rawstring }] = events;
  const named = Object.entries(tags).map(([tag, text]) => [`#${tag}`, text]);
  const time = new Date(1_790_000_000_000 + random.below(3_600_000)).toISOString();
  return `${JSON.stringify({ time, ...attributes, ...Object.fromEntries(named), rawstring, [name]: value })}\n`;
}
