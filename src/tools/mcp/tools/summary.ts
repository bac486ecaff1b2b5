import * as z from 'zod/v4';
import { countText } from '../../../core/count-text.ts';
import { ERROR_LEVELS, levelName, severityOf } from '../../../core/records/severity.ts';
import { shortenText } from '../../../core/shorten-text.ts';
import type { Row } from '../../output/row-format.ts';
import { modelLine } from '../../output/terminal-text.ts';
import { isoTime } from '../../output/time-text.ts';
import { Answer } from '../answer.ts';
import { ARGUMENTS, rangeOf } from '../arguments.ts';
import { checkBeforeRun, requireFilter } from '../check-query.ts';
import type { Logs } from '../log-source.ts';
import { findNewPatterns, showNewPatterns } from '../new-patterns.ts';
import { noMatchHints } from '../no-match.ts';
import { LEVEL_AND_SERVICE, NONE, withSteps } from '../record-steps.ts';
import { defineTool, type Session } from '../tool.ts';
import { findPatterns, showPatterns } from './patterns.ts';

const { query, start, end, repository, maxTokens } = ARGUMENTS;

const input = z.strictObject({ query, start, end, repository, maxTokens });

const MAX_PATTERNS = 20;
const MAX_NAMES = 20;
const BUCKETS = 12;

export const summaryTool = defineTool({
  name: 'summary',
  title: 'Summarize logs',
  description:
    'Overview of the logs: number of events, first and last one, levels, services, events over time, the most frequent messages, errors first, and the messages first seen in this range. Start here.',
  input,
  run: (args, session, signal) =>
    session.source.use(args.repository, (logs) => summarize(args, logs, session, signal)),
});

async function summarize(
  args: z.infer<typeof input>,
  logs: Logs,
  session: Session,
  signal: AbortSignal,
): Promise<string> {
  requireFilter(args.query ?? '');
  const warnings = checkBeforeRun(args.query ?? '', logs);
  const range = rangeOf(args, logs);
  const answer = new Answer(args.maxTokens);
  for (const warning of warnings) answer.say(warning);
  const groups = await countGroups(logs, { filter: args.query, range, signal });
  if (groups.total === 0) {
    answer.say(`No events match (${logs.place}).`);
    for (const hint of await noMatchHints(logs, args.query ?? '', range, signal)) answer.hint(hint);
    return answer.text;
  }
  const [first, last] = [isoTime(groups.first), isoTime(groups.last)];
  answer.say(`${countText(groups.total, 'event')} from ${first} to ${last} (${logs.place}).`);
  answer.log(`levels: ${listOf(groups.levels)}`);
  if (groups.services.size > 1 || !groups.services.has(NONE))
    answer.log(`services: ${listOf(groups.services)}`);
  const known = { start: groups.first, end: groups.last + 1 };
  answer.log(await eventsOverTime(logs, { filter: args.query, range: known, signal }));
  const hasErrors = await showMessages(answer, { filter: args.query, range, signal }, groups, {
    logs,
    session,
  });
  answer.hint(
    hasErrors
      ? 'Next: call "context" with the ref of an error to see what led to it, or "query" with a filter from above.'
      : 'Next: call "patterns" for all messages, "fields" for the fields, or "query".',
  );
  return answer.text;
}

/** Shows the errors, the other messages, and those that are new. @returns whether there are errors */
async function showMessages(
  answer: Answer,
  { filter, range, signal }: Search,
  { first, last }: Groups,
  { logs, session }: { readonly logs: Logs; readonly session: Session },
): Promise<boolean> {
  const failed = withSteps(filter, LEVEL_AND_SERVICE, `_level = /${ERROR_LEVELS}/i`);
  const search = { range, limit: MAX_PATTERNS, signal };
  const errors = await findPatterns(logs, { ...search, filter: failed });
  const all = await findPatterns(logs, { ...search, filter });
  const others = all.filter(({ _level }) => !isError(String(_level)));
  const recent = await findNewPatterns(logs, { filter, first, last, signal });
  const options = { repository: logs.repository, refs: session.refs };
  const shown: Row[] = [];
  const show = (title: string, patterns: readonly Row[], isLast: boolean): void => {
    if (patterns.length === 0) return;
    answer.log(title);
    const room = isLast ? answer.room : answer.room * 0.6;
    shown.push(...patterns.slice(0, showPatterns(answer, patterns, { ...options, room })));
  };
  const hasNew = recent.patterns.length > 0;
  show('errors:', errors, others.length === 0 && !hasNew);
  show(errors.length > 0 ? 'other messages:' : 'messages:', others, !hasNew);
  const firstError =
    errors.length === 0 ? undefined : Math.min(...errors.map(({ _first }) => Number(_first)));
  showNewPatterns(answer, recent, { ...options, shown, firstError });
  return errors.length > 0;
}

interface Search {
  readonly filter: string | undefined;
  readonly range: { readonly start: string | number; readonly end?: string | number };
  readonly signal: AbortSignal;
}

interface Groups {
  readonly total: number;
  readonly first: number;
  readonly last: number;
  readonly levels: ReadonlyMap<string, number>;
  readonly services: ReadonlyMap<string, number>;
}

async function countGroups({ client }: Logs, { filter, range, signal }: Search): Promise<Groups> {
  const count =
    'groupBy([_level, _service], function=[count(), min(@timestamp, as=_first), max(@timestamp, as=_last)], limit=max)';
  const rows = await client.query<Row>(withSteps(filter, LEVEL_AND_SERVICE, count), { ...range, signal });
  const levels = new Map<string, number>();
  const services = new Map<string, number>();
  for (const { _level, _service, _count } of rows) {
    add(levels, levelName(String(_level)), Number(_count));
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
async function eventsOverTime({ client }: Logs, { filter, range, signal }: Search): Promise<string> {
  const query = withSteps(filter, LEVEL_AND_SERVICE, `bucket(buckets=${BUCKETS}, field=_level, limit=50)`);
  const rows = await client.query<Row>(query, { ...range, signal });
  const buckets = new Map<number, Map<string, number>>();
  for (const { _bucket, _level, _count } of rows) {
    if (Number(_count) === 0) continue;
    const levels = buckets.get(Number(_bucket)) ?? new Map<string, number>();
    buckets.set(Number(_bucket), levels);
    add(levels, levelName(String(_level)), Number(_count));
  }
  if (buckets.size < 2) return '';
  const lines = [...buckets].sort(([one], [other]) => one - other);
  return ['events over time:', ...lines.map(([time, levels]) => `${isoTime(time)}\t${listOf(levels)}`)].join(
    '\n',
  );
}

function isError(level: string): boolean {
  return ['error', 'fatal'].includes(severityOf(level));
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
