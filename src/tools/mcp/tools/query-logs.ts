import * as z from 'zod/v4';
import { fieldNames } from '../../../core/records/field-names.ts';
import { PAGE_EVENTS } from '../../../core/wire/query-results.ts';
import type { Row } from '../../output/row-format.ts';
import { Gate } from '../../query/gate.ts';
import { shapeOf, warningsOf } from '../../query/query-service.ts';
import { Answer } from '../answer.ts';
import { ARGUMENTS, type EventSearch, rangeOf } from '../arguments.ts';
import { noMatch, unknownFields } from '../empty-result.ts';
import type { Logs } from '../log-source.ts';
import { checkBeforeRun } from '../query-check.ts';
import { showRows } from '../rows.ts';
import { type CallLogs, defineTool, withLogs } from '../tool.ts';

const input = z.strictObject({
  ...ARGUMENTS,
  query: z
    .string()
    .describe('Query in the LogScale query language, such as "level=error | groupBy(#service)".'),
  fields: z
    .array(z.string().min(1))
    .min(1)
    .max(50)
    .optional()
    .describe('Fields to show, in this order. Default: the most used ones. Values are complete if they fit.'),
  cursor: z.string().optional().describe('Continues a result: the cursor from the end of the last response.'),
});

type Input = z.infer<typeof input>;

export const queryTool = defineTool({
  name: 'query',
  title: 'Query logs',
  description:
    'Runs a query and returns rows as tab-separated values: events newest first, or the rows of an aggregate such as groupBy() or timeChart(). Prefer aggregates to reading many events. The column "ref" names an event for the tool "context".',
  input,
  run: (args, session, signal) => withLogs(session, args.repository, (logs) => runQuery(args, logs, signal)),
});

async function runQuery(args: Input, logs: CallLogs, signal: AbortSignal): Promise<string> {
  const warnings = checkBeforeRun(args.query, logs);
  const cursor = cursorOf(args.cursor);
  const range = cursor ?? rangeOf(args, logs);
  const offset = cursor?.offset ?? 0;
  const search = { filter: args.query, range, signal };
  const { result, rows, total } = await find(search, offset, logs);
  const answer = new Answer(args.maxTokens);
  const fromService = [...warningsOf(result)].map((text) => `Warning: ${text}`);
  for (const warning of [...warnings, ...fromService].slice(0, 3)) answer.say(warning);
  const page = rows.slice(offset);
  if (page.length === 0) {
    if (offset > 0) return answer.say('There are no more rows.').text;
    return noMatch(answer, 'No rows', logs, search);
  }
  const { isAggregate, columns } = shapeOf(result);
  // Aggregates such as head() and sort() return events.
  const areEvents = page.every((row) => row['@id'] !== undefined && row['@rawstring'] !== undefined);
  const named = args.fields ?? (areEvents ? undefined : (columns ?? fieldNames(page)));
  const { shown, isCut } = showRows(answer, logs, page, args.query, named);
  const gate = new Gate({});
  gate.see(rows);
  if (gate.hasEmptyGroup(isAggregate ? columns : []))
    for (const hint of (await unknownFields(logs, search)).hints) answer.hint(hint);
  const last = offset + shown;
  const order = isAggregate ? '' : ', newest first';
  answer.hint(`Rows ${offset + 1} to ${last} of ${total.toLocaleString('en')}${order}.`);
  if (last < total) {
    const { queryStart, queryEnd } = result.metadata;
    answer.hint(
      `For the next rows, repeat the call with cursor="${queryStart}-${queryEnd}-${last}". To need fewer: filter more, aggregate with groupBy(), or name "fields".`,
    );
  }
  if (rows.length < result.events.length) answer.hint('Intervals without events are left out.');
  if (isCut)
    answer.hint('Values that end with "…" are cut. Name "fields" or raise "maxTokens" to see more of them.');
  return answer.text;
}

/** The result, its rows from the start to the end of the page, and how many it has. */
async function find(
  { filter: query, range, signal }: EventSearch & { readonly filter: string },
  offset: number,
  { client }: Logs,
) {
  const options = { start: range.start, ...(range.end !== undefined && { end: range.end }), signal };
  await using job = await client.createQueryJob<Row>(query, { ...options, isLive: false });
  const result = await job.poll({ signal });
  if (!job.hasMore) {
    // Charts have rows for intervals without events.
    const rows = result.events.filter((row) => row._bucket === undefined || row._count !== '0');
    return { result, rows, total: rows.length };
  }
  // The same range again, so that pages follow each other while new events arrive.
  const { queryStart, queryEnd } = result.metadata;
  const fixed = { start: queryStart, end: queryEnd, signal };
  const rows =
    offset + PAGE_EVENTS <= result.events.length
      ? result.events
      : await client.query<Row>(query, { ...fixed, limit: offset + PAGE_EVENTS });
  const counted = await client.query<{ _count?: string }>(`${query}\n| count()`, fixed);
  return { result, rows, total: Math.max(rows.length, Number(counted[0]?._count ?? 0)) };
}

function cursorOf(
  text: string | undefined,
): { readonly start: number; readonly end: number; readonly offset: number } | undefined {
  if (text === undefined) return undefined;
  const [start, end, offset] = /^(\d{1,15})-(\d{1,15})-(\d{1,9})$/.exec(text)?.slice(1).map(Number) ?? [];
  if (start !== undefined && end !== undefined && offset !== undefined) return { start, end, offset };
  throw new Error('"cursor" must be copied from the end of the last response. To start again, omit it.');
}
