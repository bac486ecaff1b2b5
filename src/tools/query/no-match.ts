import { countText } from '../../core/count-text.ts';
import { nearestName } from '../../core/nearest-name.ts';
import { fieldNames } from '../../core/records/field-names.ts';
import type { LogClient, PollResult } from '../../index.ts';
import { parse, walk } from '../../language/index.ts';
import type { Row } from '../output/row-format.ts';
import { intervalText } from './query-footer.ts';
import type { Interval } from './time-flags.ts';

export interface EmptyResult {
  readonly client: LogClient;
  readonly queryString: string;
  readonly interval: Interval;
  readonly result: PollResult<Row>;
  /** Options of the query. */
  readonly options: { readonly signal: AbortSignal };
}

/** Explains an empty result: how many events the interval has, and which fields of the query don't exist. */
export async function explainNoMatch(empty: EmptyResult, timeZone: string | undefined): Promise<string> {
  const { queryString, interval, result } = empty;
  const when = intervalText(interval, result, timeZone);
  const all = await allEvents(empty);
  if (all === undefined) return `no events match · ${when}`;
  const count = all.metadata.processedEvents;
  if (count === 0) return `no events · ${when} · search further back with --since 7d`;
  const text = `no events match, of ${countText(count, 'event')} · ${when}`;
  return [text, ...fieldHints(fieldsOf(queryString), fieldNames(all.events))].join('\n');
}

/** The first page of all events of the interval, or `undefined`: the result is complete without an explanation. */
async function allEvents({ client, options }: EmptyResult): Promise<PollResult<Row> | undefined> {
  try {
    await using job = await client.createQueryJob<Row>('', { ...options, isLive: false });
    return await job.poll({ signal: options.signal });
  } catch {
    options.signal.throwIfAborted();
    return undefined;
  }
}

/** A line for each field that no event has. */
export function fieldHints(names: readonly string[], known: readonly string[]): string[] {
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const nearest = nearestName(name, known);
      const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
      return `No recent event has the field "${name}".${hint}`;
    });
}

/** The fields that a query compares before it does anything else: later steps can create fields. */
export function fieldsOf(queryString: string): string[] {
  const names = new Set<string>();
  try {
    for (const step of parse(queryString).steps) {
      if (!FILTERS.has(step.kind)) break;
      walk(step, { Comparison: ({ field }) => void names.add(field.name) });
    }
  } catch {
    // The service accepts more than this parser.
  }
  return [...names];
}

const FILTERS = new Set(['And', 'Or', 'Not', 'Boolean', 'Comparison', 'FreeText']);
