import * as z from 'zod/v4';
import { countText } from '../../../core/count-text.ts';
import { ERROR_LEVELS, severityOf } from '../../../core/records/severity.ts';
import { shortenText } from '../../../core/shorten-text.ts';
import { PAGE_EVENTS } from '../../../core/wire/query-results.ts';
import type { Row } from '../../output/row-format.ts';
import { modelLine } from '../../output/terminal-text.ts';
import { isoTime } from '../../output/time-text.ts';
import type { Answer } from '../answer.ts';
import { ARGUMENTS, type EventSearch, rangeOf } from '../arguments.ts';
import { noMatch } from '../empty-result.ts';
import { showFields } from '../fields.ts';
import type { Logs } from '../log-source.ts';
import { findNewPatterns, showNewPatterns } from '../new-patterns.ts';
import { findPatterns, showAllPatterns, showPatterns } from '../patterns.ts';
import { answerTo } from '../query-check.ts';
import { LEVEL_AND_SERVICE, NONE, withSteps } from '../record-steps.ts';
import { type CallLogs, defineTool, withLogs } from '../tool.ts';

const input = z.strictObject({
  ...ARGUMENTS,
  show: z
    .enum(['overview', 'patterns', 'fields'])
    .default('overview')
    .describe(
      `"patterns" for all groups of messages that differ only in numbers, IDs and quoted text, with a sample of each. "fields" for the fields, with the share of events that have them, the number of distinct values, and the most frequent values among the newest ${PAGE_EVENTS} events: before writing a query for logs that you do not know.`,
    ),
  prefix: z
    .string()
    .optional()
    .describe('With show="fields", only fields whose names start with this, such as "http.".'),
});

const MAX_PATTERNS = 20;
const MAX_NAMES = 20;
const BUCKETS = 12;

export const summaryTool = defineTool({
  name: 'summary',
  title: 'Summarize logs',
  description:
    'Overview of the logs: number of events, first and last one, levels, services, events over time, the most frequent messages, errors first, and the messages first seen in this range. Start here. With "show", lists all messages or all fields instead.',
  input,
  run: (args, session, signal) => withLogs(session, args.repository, (logs) => summarize(args, logs, signal)),
});

async function summarize(
  { show, prefix, ...args }: z.infer<typeof input>,
  logs: CallLogs,
  signal: AbortSignal,
): Promise<string> {
  if (prefix && show !== 'fields') throw new Error('"prefix" needs show="fields".');
  const answer = answerTo(args, logs);
  const search = { filter: args.query, range: rangeOf(args, logs), signal };
  const hasEvents = {
    overview: () => showOverview(answer, logs, search),
    patterns: () => showAllPatterns(answer, logs, search),
    fields: () => showFields(answer, logs, { ...search, prefix }),
  };
  return (await hasEvents[show]()) ? answer.text : noMatch(answer, 'No events match', logs, search);
}

/** @returns whether there are events */
async function showOverview(answer: Answer, logs: CallLogs, search: EventSearch): Promise<boolean> {
  const groups = await countGroups(logs, search);
  if (groups.total === 0) return false;
  const [first, last] = [isoTime(groups.first), isoTime(groups.last)];
  answer.say(`${countText(groups.total, 'event')} from ${first} to ${last} (${logs.place}).`);
  answer.log(`levels: ${listOf(groups.levels)}`);
  if (groups.services.size > 1 || !groups.services.has(NONE))
    answer.log(`services: ${listOf(groups.services)}`);
  const range = { start: groups.first, end: groups.last + 1 };
  answer.log(await eventsOverTime(logs, { ...search, range }));
  const hasErrors = await showMessages(answer, logs, search, groups);
  answer.hint(
    hasErrors
      ? 'Next: call "context" with the ref of an error as "id" to see what led to it, or "query" with a filter from above.'
      : 'Next: call "summary" with show="patterns" for all messages or show="fields" for the fields, or "query".',
  );
  return true;
}

/** Shows the errors, the other messages, and those that are new. @returns whether there are errors */
async function showMessages(
  answer: Answer,
  logs: CallLogs,
  { filter, range, signal }: EventSearch,
  { first, last }: Groups,
): Promise<boolean> {
  const failed = withSteps(filter, LEVEL_AND_SERVICE, `_level = /${ERROR_LEVELS}/i`);
  const search = { range, limit: MAX_PATTERNS, signal };
  const errors = await findPatterns(logs, { ...search, filter: failed });
  const all = await findPatterns(logs, { ...search, filter });
  const others = all.filter(({ _level }) => !['error', 'fatal'].includes(severityOf(String(_level))));
  const recent = await findNewPatterns(logs, { filter, first, last, signal });
  const shown: Row[] = [];
  const show = (title: string, patterns: readonly Row[], isLast: boolean): void => {
    if (patterns.length === 0) return;
    answer.log(title);
    const room = isLast ? answer.room : answer.room * 0.6;
    shown.push(...patterns.slice(0, showPatterns(answer, logs, patterns, room)));
  };
  const hasNew = recent.patterns.length > 0;
  show('errors:', errors, others.length === 0 && !hasNew);
  show(errors.length > 0 ? 'other messages:' : 'messages:', others, !hasNew);
  const firstError =
    errors.length === 0 ? undefined : Math.min(...errors.map(({ _first }) => Number(_first)));
  showNewPatterns(answer, logs, recent, shown, firstError);
  return errors.length > 0;
}

interface Groups {
  readonly total: number;
  readonly first: number;
  readonly last: number;
  readonly levels: ReadonlyMap<string, number>;
  readonly services: ReadonlyMap<string, number>;
}

async function countGroups({ client }: Logs, { filter, range, signal }: EventSearch): Promise<Groups> {
  const count =
    'groupBy([_level, _service], function=[count(), min(@timestamp, as=_first), max(@timestamp, as=_last)], limit=max)';
  const rows = await client.query<Row>(withSteps(filter, LEVEL_AND_SERVICE, count), { ...range, signal });
  const levels = new Map<string, number>();
  const services = new Map<string, number>();
  for (const { _level, _service, _count } of rows) {
    add(levels, String(_level), Number(_count));
    add(services, String(_service), Number(_count));
  }
  return {
    total: rows.reduce((sum, { _count }) => sum + Number(_count), 0),
    first: rows.reduce((least, { _first }) => Math.min(least, Number(_first)), Number.POSITIVE_INFINITY),
    last: rows.reduce((most, { _last }) => Math.max(most, Number(_last)), Number.NEGATIVE_INFINITY),
    levels,
    services,
  };
}

/** One line for each interval with events. */
async function eventsOverTime({ client }: Logs, { filter, range, signal }: EventSearch): Promise<string> {
  const query = withSteps(filter, LEVEL_AND_SERVICE, `bucket(buckets=${BUCKETS}, field=_level, limit=50)`);
  const rows = await client.query<Row>(query, { ...range, signal });
  const buckets = new Map<number, Map<string, number>>();
  for (const { _bucket, _level, _count } of rows) {
    if (Number(_count) === 0) continue;
    const levels = buckets.get(Number(_bucket)) ?? new Map<string, number>();
    buckets.set(Number(_bucket), levels);
    add(levels, String(_level), Number(_count));
  }
  if (buckets.size < 2) return '';
  const sorted = [...buckets].sort(([one], [other]) => one - other);
  const lines = sorted.map(([time, levels]) => `\n${isoTime(time)}\t${listOf(levels)}`);
  return `events over time:${lines.join('')}`;
}

function add(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

/** Such as `info 250, error 3`, most frequent first. */
function listOf(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const shown = sorted
    .slice(0, MAX_NAMES)
    .map(([name, count]) => `${shortenText(modelLine(name), 60)} ${count}`);
  const more = sorted.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
