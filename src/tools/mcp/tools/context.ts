import * as z from 'zod/v4';
import { countText } from '../../../core/count-text.ts';
import { HOUR_MS } from '../../../core/epoch.ts';
import { escapeRegex } from '../../../core/escape-regex.ts';
import { PAGE_EVENTS } from '../../../core/wire/query-results.ts';
import { lql } from '../../../index.ts';
import type { Row } from '../../output/row-format.ts';
import type { Answer } from '../answer.ts';
import { ARGUMENTS, rangeOf } from '../arguments.ts';
import type { Logs } from '../log-source.ts';
import { answerTo } from '../query-check.ts';
import { withSteps } from '../record-steps.ts';
import type { EventPlace } from '../row-refs.ts';
import { showRows } from '../rows.ts';
import { type CallLogs, defineTool, withLogs } from '../tool.ts';

const NO_EVENT =
  'there is no event with this "id". Pass the "ref" of a row from an earlier response, or its @id. After a restart, or when the logs were replaced, run the query again for new refs.';

const NEIGHBORS = 10;
const neighbors = z.number().int().min(0).max(99).default(NEIGHBORS);

const input = z.strictObject({
  ...ARGUMENTS,
  id: z.string().optional().describe('The event: a "ref" such as "e12", or an @id.'),
  trace_id: z
    .string()
    .regex(/^[\w.:/@#=+-]{3,200}$/)
    .optional()
    .describe('Instead of "id": a trace, request or order ID. Returns the events that contain it.'),
  before: neighbors.describe(`Events before the event. Default: ${NEIGHBORS}.`),
  after: neighbors.describe(`Events after the event. Default: ${NEIGHBORS}.`),
  query: ARGUMENTS.query.describe('Only these events, such as "#service=shop". Default: all events.'),
});

type Input = z.infer<typeof input>;

export const contextTool = defineTool({
  name: 'context',
  title: 'Read around an event',
  description:
    'Returns the events before and after an event, of all services and within an hour, or the events of a trace or request, oldest first. Use it on an error to see what led to it.',
  input,
  run: (args, session, signal) => {
    if ((args.id === undefined) === (args.trace_id === undefined)) {
      throw new Error('pass either "id", such as the ref of a row, or "trace_id".');
    }
    const place = args.id === undefined ? undefined : session.refs.find(args.id);
    return withLogs(session, args.repository ?? place?.repository, async (logs) => {
      const call = { args, logs, signal, answer: answerTo(args, logs) };
      return args.trace_id === undefined ? around(call, place) : ofTrace(call, args.trace_id);
    });
  },
});

interface Call {
  readonly args: Input;
  readonly logs: CallLogs;
  readonly signal: AbortSignal;
  readonly answer: Answer;
}

async function around({ args, logs, signal, answer }: Call, known?: EventPlace): Promise<string> {
  const place = known ?? (await findEvent(args, logs, signal));
  const { id: eventId, timestamp } = place;
  await using job = await logs.client.createQueryJob<Row>(args.query?.trim() || '*', {
    start: timestamp - HOUR_MS,
    end: timestamp + HOUR_MS,
    around: { eventId, timestamp, numberOfEventsBefore: args.before, numberOfEventsAfter: args.after },
    signal,
    isLive: false,
  });
  const { events } = await job.poll({ signal });
  // With a filter, the event itself need not be in the result.
  const isFound = args.query !== undefined || events.some((event) => event['@id'] === eventId);
  if (!isFound) throw new Error(NO_EVENT);
  const ref = logs.refOf({ '@id': eventId, '@timestamp': timestamp });
  answer.say(`${countText(events.length, 'event')} around ${ref}, oldest first.`);
  return show({ args, logs, answer }, events.toReversed());
}

async function ofTrace({ args, logs, signal, answer }: Call, traceId: string): Promise<string> {
  const range = rangeOf(args, logs);
  // Finds the ID, but not in a longer one.
  const wholeWord = `/(?:^|[^\\w-])${escapeRegex(traceId)}(?:$|[^\\w-])/`;
  const query = withSteps(args.query, `"${traceId}" ${wholeWord}`);
  const events = await logs.client.query<Row>(query, { ...range, signal, limit: PAGE_EVENTS });
  if (events.length === 0) {
    answer.say(`No event contains this ID (${logs.place}).`);
    return answer.hint('Check the ID, or search further back with start="7d".').text;
  }
  const isAll = events.length < PAGE_EVENTS;
  answer.say(`${isAll ? '' : 'The newest '}${countText(events.length, 'event')} with this ID, oldest first.`);
  return show({ args, logs, answer }, events.toReversed());
}

function show({ args, logs, answer }: Omit<Call, 'signal'>, rows: readonly Row[]): string {
  const { shown, isCut } = showRows(answer, logs, rows, args.query);
  if (shown < rows.length) {
    answer.hint(
      `The first ${shown} of ${rows.length} are shown. Pass smaller "before" and "after", a "query", or a larger "maxTokens".`,
    );
  }
  if (isCut) answer.hint('Values that end with "…" are cut. To read one, call "query" with "fields".');
  return answer.text;
}

async function findEvent(args: Input, logs: Logs, signal: AbortSignal): Promise<EventPlace> {
  const id = args.id!;
  const [event] = /^e\d+$/.test(id)
    ? []
    : await logs.client.query<Row>(lql`@id=${id}`, { ...rangeOf(args, logs), signal, limit: 1 });
  if (event === undefined) throw new Error(NO_EVENT);
  return { id, timestamp: Number(event['@timestamp']), repository: logs.repository };
}
