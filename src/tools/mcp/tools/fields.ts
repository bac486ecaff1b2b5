import * as z from 'zod/v4';
import { countText } from '../../../core/count-text.ts';
import { type FieldSummary, summarizeFields } from '../../../core/records/field-summary.ts';
import { isServiceField } from '../../../core/records/logger-line.ts';
import { shortenText } from '../../../core/shorten-text.ts';
import type { Row } from '../../output/row-format.ts';
import { tabTable } from '../../output/tab-table.ts';
import { modelLine } from '../../output/terminal-text.ts';
import { Answer } from '../answer.ts';
import { ARGUMENTS, rangeOf } from '../arguments.ts';
import { checkBeforeRun, requireFilter } from '../check-query.ts';
import type { Logs } from '../log-source.ts';
import { noMatchHints } from '../no-match.ts';
import { withSteps } from '../record-steps.ts';
import { defineTool } from '../tool.ts';

const { query, start, end, repository, maxTokens } = ARGUMENTS;

const MAX_FIELDS = 1_000;
const MAX_VALUE_LENGTH = 60;

const input = z.strictObject({
  query,
  prefix: z.string().optional().describe('Only fields whose names start with this, such as "http.".'),
  start,
  end,
  repository,
  maxTokens,
});

export const fieldsTool = defineTool({
  name: 'fields',
  title: 'List fields',
  description:
    'Lists the fields of the events: the share of events that have the field, the number of distinct values, and the most frequent values among the newest 200 events. Call it before writing a query for logs that you do not know.',
  input,
  run: (args, { source }, signal) =>
    source.use(args.repository, async (logs) => {
      requireFilter(args.query ?? '');
      const warnings = checkBeforeRun(args.query ?? '', logs);
      const range = rangeOf(args, logs);
      const { fields, sampled } = await findFields(logs, { filter: args.query, range, signal });
      const answer = new Answer(args.maxTokens);
      for (const warning of warnings) answer.say(warning);
      const listed = fields.filter(({ name }) => name.startsWith(args.prefix ?? ''));
      if (fields.length === 0) {
        answer.say(`No events match (${logs.place}).`);
        for (const hint of await noMatchHints(logs, args.query ?? '', range, signal)) answer.hint(hint);
        return answer.text;
      }
      if (listed.length === 0) {
        return answer.say(`None of the ${fields.length} fields starts with the prefix. Omit it to see all.`)
          .text;
      }
      const table = tabTable(
        ['field', 'share', 'distinct', `top values in the newest ${countText(sampled, 'event')}`],
        listed.map(({ name, share, distinct, top }) => [modelLine(name), share, distinct, top]),
        answer.room - 1,
      );
      answer.log(table.text);
      answer.hint(
        `${table.shown} of ${countText(listed.length, 'field')}. Tags start with "#"; fields of the service with "@".`,
      );
      if (table.shown < listed.length) answer.hint('For the rest, pass a "prefix", or raise "maxTokens".');
      answer.hint('To count all values of a field, call "query" with: top(<field>)');
      return answer.text;
    }),
});

interface FieldLine {
  readonly name: string;
  readonly share: string;
  readonly distinct: string;
  readonly top: string;
}

interface FieldSearch {
  readonly filter: string | undefined;
  readonly range: ReturnType<typeof rangeOf>;
  readonly signal: AbortSignal;
}

/** The fields of all matching events, with the values of the newest ones. */
async function findFields(
  { client }: Logs,
  { filter, range, signal }: FieldSearch,
): Promise<{ readonly fields: readonly FieldLine[]; readonly sampled: number }> {
  const [counted, sample] = await Promise.all([
    client.query<Row>(withSteps(filter, `fieldstats(limit=${MAX_FIELDS})`), { ...range, signal }),
    client.query<Row>(withSteps(filter), { ...range, signal, limit: 200 }),
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
    .slice(0, isUnique ? 2 : top.length)
    .map(
      ([value, count]) => shortenText(modelLine(value), MAX_VALUE_LENGTH) + (isUnique ? '' : ` (${count})`),
    )
    .join(', ');
}
