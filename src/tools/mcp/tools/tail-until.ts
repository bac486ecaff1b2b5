import * as z from 'zod/v4';
import { countText } from '../../../core/count-text.ts';
import type { TailReconnect } from '../../../index.ts';
import type { Row } from '../../output/row-format.ts';
import { ARGUMENTS, timeOf } from '../arguments.ts';
import type { Logs } from '../log-source.ts';
import { answerTo } from '../query-check.ts';
import { withSteps } from '../record-steps.ts';
import { showRows } from '../rows.ts';
import { defineTool, withLogs } from '../tool.ts';

const { query, repository, maxTokens } = ARGUMENTS;

const input = z.strictObject({
  query,
  count: z.number().int().min(1).max(200).default(1).describe('Number of events to wait for.'),
  timeoutMs: z
    .number()
    .int()
    .min(100)
    .max(300_000)
    .default(20_000)
    .describe('Maximum time to wait, in milliseconds. Many clients cancel calls after 60 s.'),
  start: ARGUMENTS.start.describe(
    'Also return events since this time, such as "30s" ago. Default: only events from now on.',
  ),
  repository,
  maxTokens,
});

type Input = z.infer<typeof input>;

/** How far back to look for events that the caller may have missed. */
const RECENT_MINUTES = 5;

export const tailUntilTool = defineTool({
  name: 'tail_until',
  title: 'Wait for events',
  description:
    'Waits until a number of matching events has arrived, and returns them, oldest first. Use it after starting a program in the background, to see what it does. Returns what has arrived when the time is up.',
  input,
  run: (args, session, signal) =>
    withLogs(session, args.repository, async (logs) => {
      const { ending } = session;
      const answer = answerTo(args, logs);
      const { rows, failure } = await collect(args, logs, { signal, ending });
      const isComplete = rows.length >= args.count;
      const end = ending.aborted ? 'stdin was closed' : `Timed out after ${args.timeoutMs / 1000} s`;
      answer.say(
        isComplete
          ? `${countText(rows.length, 'event')}, oldest first.`
          : `${end}: ${countText(rows.length, 'event')} of ${args.count} (${logs.place}).`,
      );
      const { shown } = showRows(answer, logs, rows, args.query);
      if (shown < rows.length) answer.hint(`The first ${shown} are shown. For all, raise "maxTokens".`);
      if (failure !== undefined) {
        answer.hint(`Events may be missing: the connection was lost (${failure}).`);
      } else if (rows.length === 0) answer.hint(await recentHint(args, logs, signal));
      return answer.text;
    }),
});

async function collect(
  { query, count, timeoutMs, start }: Input,
  logs: Logs,
  { signal, ending }: { readonly signal: AbortSignal; readonly ending: AbortSignal },
): Promise<{ rows: Row[]; failure: string | undefined }> {
  const rows: Row[] = [];
  /** Why there is no connection. */
  let failure: string | undefined;
  const done = new AbortController();
  const until = AbortSignal.any([signal, ending, done.signal, AbortSignal.timeout(timeoutMs)]);
  const since = timeOf('start', start) ?? Date.now();
  const following = logs.follow?.(until);
  try {
    const onReconnect = ({ attempt, error }: TailReconnect): void => {
      failure = attempt > 1 && error instanceof Error ? error.message : undefined;
    };
    const options = { since: since === 'now' ? Date.now() : since, signal: until, onReconnect };
    for await (const event of logs.client.tail<Row>(query?.trim() || '*', options)) {
      failure = undefined;
      if (rows.push(event) === count) break;
    }
  } finally {
    done.abort();
    await following;
  }
  signal.throwIfAborted();
  return { rows, failure };
}

async function recentHint({ query }: Input, { client }: Logs, signal: AbortSignal): Promise<string> {
  const [row] = await client.query<Row>(withSteps(query, 'count()'), { start: `${RECENT_MINUTES}m`, signal });
  const count = Number(row?._count ?? 0);
  return count === 0
    ? `No event of the last ${RECENT_MINUTES} minutes matches either. Check that the program runs and sends its logs here, and call "summary" without a query.`
    : `${countText(count, 'matching event')} arrived in the last ${RECENT_MINUTES} minutes, before this call or during it. Pass start="${RECENT_MINUTES}m" to see them.`;
}
