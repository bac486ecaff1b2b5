import { countText } from '../../core/count-text.ts';
import { type FieldSummary, summarizeFields } from '../../core/records/field-summary.ts';
import { isServiceField } from '../../core/records/logger-line.ts';
import { shortenText } from '../../core/shorten-text.ts';
import { PAGE_EVENTS } from '../../core/wire/query-results.ts';
import type { Row } from '../output/row-format.ts';
import { tabTable } from '../output/tab-table.ts';
import { modelLine } from '../output/terminal-text.ts';
import type { Answer } from './answer.ts';
import type { EventSearch } from './arguments.ts';
import type { Logs } from './log-source.ts';
import { withSteps } from './record-steps.ts';

const MAX_FIELDS = 1_000;
const MAX_VALUE_LENGTH = 60;
const MAX_VALUES = 5;

/** Adds the fields of all matching events to a response, with the values of the newest ones. @returns whether there are any */
export async function showFields(
  answer: Answer,
  logs: Logs,
  { prefix = '', ...search }: EventSearch & { readonly prefix?: string | undefined },
): Promise<boolean> {
  const { fields, sampled } = await findFields(logs, search);
  const listed = fields.filter(({ name }) => name.startsWith(prefix));
  if (listed.length === 0) {
    if (fields.length > 0) {
      answer.say(`None of the ${fields.length} fields starts with the prefix. Omit it to see all.`);
    }
    return fields.length > 0;
  }
  const { text, shown } = tabTable(
    ['field', 'share', 'distinct', `top values in the newest ${countText(sampled, 'event')}`],
    listed.map(({ name, share, distinct, top }) => [modelLine(name), share, distinct, top]),
    answer.room - 1,
  );
  answer.log(text);
  answer.hint(
    `${shown} of ${countText(listed.length, 'field')}. Tags start with "#"; fields of the service with "@".`,
  );
  if (shown < listed.length) answer.hint('For the rest, pass a "prefix", or raise "maxTokens".');
  answer.hint('To count all values of a field, call "query" with: top(<field>)');
  return true;
}

async function findFields({ client }: Logs, { filter, range, signal }: EventSearch) {
  const [counted, sample] = await Promise.all([
    client.query<Row>(withSteps(filter, `fieldstats(limit=${MAX_FIELDS})`), { ...range, signal }),
    client.query<Row>(withSteps(filter), { ...range, signal, limit: PAGE_EVENTS }),
  ]);
  const counts = new Map(counted.map((row) => [String(row.field), row] as const));
  const total = Math.max(sample.length, ...counted.map(({ _count }) => Number(_count)));
  const summaries = summarizeFields(sample);
  const known = new Map(summaries.map((summary) => [summary.name, summary] as const));
  const names = [...new Set([...known.keys(), ...counts.keys()])];
  const fields = names.map((name) => {
    const row = counts.get(name);
    const summary = known.get(name);
    const share = row === undefined ? (summary?.coverage ?? 0) : Number(row._count) / total;
    return {
      name,
      rank: isServiceField(name) ? share - 2 : share,
      share: share < 0.01 ? '<1%' : `${Math.round(share * 100)}%`,
      distinct: String(row?.distinct ?? row?._distinct ?? summary?.distinct ?? ''),
      top: name.startsWith('@') ? '' : valuesOf(summary?.top ?? []),
    };
  });
  return { fields: fields.sort((one, other) => other.rank - one.rank), sampled: sample.length };
}

/** Such as `info (149), error (1)`; for a field whose values differ in every event, two of them. */
function valuesOf(top: FieldSummary['top']): string {
  const isUnique = top.length > 2 && top[0]![1] === 1;
  return top
    .slice(0, isUnique ? 2 : MAX_VALUES)
    .map(
      ([value, count]) => shortenText(modelLine(value), MAX_VALUE_LENGTH) + (isUnique ? '' : ` (${count})`),
    )
    .join(', ');
}
