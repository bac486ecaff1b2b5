import { countText } from '../../core/count-text.ts';
import { DAY_MS } from '../../core/epoch.ts';
import type { PollResult } from '../../index.ts';
import { noMatchHints } from '../../language/no-match-hints.ts';
import type { Row } from '../output/row-format.ts';
import { footerText, intervalText, type QueryOutcome } from './query-footer.ts';

/** Explains a result that is empty or has only an empty group: the number of events of the interval, the step that drops them, and unknown names and values. */
export async function explainNoMatch(empty: QueryOutcome, timeZone: string | undefined): Promise<string> {
  const { queryString, interval, result } = empty;
  const when = intervalText(interval, result, timeZone);
  const all = await allEvents(empty);
  if (all === undefined) return `no events match · ${when}`;
  const count = all.metadata.processedEvents;
  const isShort = all.metadata.queryStart > Date.now() - 7 * DAY_MS;
  if (count === 0) return `no events · ${when}${isShort ? ' · search further back with --since 7d' : ''}`;
  const texts = empty.hasEmptyGroup
    ? [footerText(empty, timeZone)]
    : [`no events match, of ${countText(count, 'event')} · ${when}`, ...(await lostStep(empty))];
  return [...texts, ...noMatchHints(queryString, all.events, 'recent event')].join('\n');
}

/** The step that no event passes, unless the service can't explain the query. */
async function lostStep({ client, queryString, options }: QueryOutcome): Promise<string[]> {
  try {
    const explain = `${queryString}\n| explain:asTable()`;
    const steps = await client.query<Row>(explain, { ...options, onWarning: () => {} });
    const lost = steps.find(({ eventsIn, eventsOut }) => Number(eventsIn) > 0 && Number(eventsOut) === 0);
    return lost === undefined ? [] : [`${NO_EVENT_PASSES} ${lost.step}`];
  } catch {
    options.signal.throwIfAborted();
    return [];
  }
}

export const NO_EVENT_PASSES = 'no event passes this step:';

/** The first page of all events of the interval, or `undefined`: the result is complete without an explanation. */
async function allEvents({ client, options }: QueryOutcome): Promise<PollResult<Row> | undefined> {
  try {
    await using job = await client.createQueryJob<Row>('', { ...options, isLive: false });
    return await job.poll({ signal: options.signal });
  } catch {
    options.signal.throwIfAborted();
    return undefined;
  }
}
