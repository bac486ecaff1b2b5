import { countText } from '../../core/count-text.ts';
import type { LogClient, PollResult } from '../../index.ts';
import type { Row, Surface } from '../output/row-format.ts';
import { writeNote } from '../output/standard-output.ts';
import { widthOf } from '../output/text-width.ts';
import { timeText } from '../output/time-text.ts';
import type { Interval } from './interval.ts';

/** What a query on the service has found. */
export interface QueryOutcome {
  readonly client: LogClient;
  readonly queryString: string;
  /** Options of the query. */
  readonly options: { readonly signal: AbortSignal };
  /** Number of rows on the terminal. */
  readonly shown: number;
  /** Whether there are more rows than those. */
  readonly hasMore: boolean;
  /** Whether the only row is of events without the field by which the query groups. */
  readonly hasEmptyGroup: boolean;
  readonly result: PollResult<Row>;
  readonly interval: Interval;
  /** Excludes the time that a pager was open. */
  readonly durationMs: number;
}

/** One line for a terminal: number of rows, interval, duration, and how to see the rest. */
export function footerText(outcome: QueryOutcome, timeZone: string | undefined): string {
  const { shown, hasMore, result, interval, durationMs } = outcome;
  const { isAggregate, processedEvents } = result.metadata;
  const parts = [intervalText(interval, result, timeZone), `${(durationMs / 1000).toFixed(1)} s`];
  if (!hasMore) return [countText(shown, isAggregate ? 'row' : 'event'), ...parts].join(' · ');
  const all = isAggregate ? result.events.length : processedEvents;
  const total = all > shown ? ` of ${all.toLocaleString('en')}` : '';
  const which = isAggregate ? 'first' : 'newest';
  return [`${which} ${shown.toLocaleString('en')}${total}`, ...parts, '-n all for everything'].join(' · ');
}

/** Writes notes that belong to a result on a terminal. */
export function writeFooter(text: string, { colors, width }: Surface): void {
  const fitting = widthOf(text) > width ? text.replace(' for everything', '') : text;
  writeNote(fitting, process.stderr.isTTY === true ? colors.dim : undefined);
}

/** Such as `last 24 h`, or both ends. */
export function intervalText(
  { start, end }: Interval,
  { metadata }: PollResult<Row>,
  timeZone: string | undefined,
): string {
  if (typeof start !== 'number' && end === undefined) return `last ${start ?? '24 h'}`;
  const from = start === 0 ? '' : `${timeText(String(metadata.queryStart), timeZone).slice(0, 16)} `;
  return `${from}to ${timeText(String(metadata.queryEnd), timeZone).slice(0, 16)}`;
}
