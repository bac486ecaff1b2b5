import type { QueryOptions } from '../query/query-options.ts';
import { callOptionsOf } from '../web/call-options.ts';
import type { LogEvent } from '../wire/query.ts';
import type { QuerySource } from './query-source.ts';

/** The events that a tail begins with. */
export interface TailHistory<Row extends LogEvent> {
  /** Oldest first. */
  readonly events: readonly Row[];
  /** Whether an event was there already, but left out for there being enough newer ones. */
  isBefore(event: Row): boolean;
}

/** Fetches the newest `last` events of a query. */
export async function tailHistory<Row extends LogEvent>(
  source: QuerySource,
  queryString: string,
  { last, ...options }: QueryOptions & { last: number },
): Promise<TailHistory<Row>> {
  const job = await source.createQueryJob<Row>(queryString, { ...options, isLive: false });
  try {
    const events: Row[] = [];
    let queryEnd = Number.POSITIVE_INFINITY;
    for await (const result of job.pollUntilDone(callOptionsOf(options))) {
      queryEnd = Math.min(queryEnd, result.metadata.queryEnd);
      events.push(...result.events);
      if (events.length >= last) break;
    }
    const shown = events.slice(0, last).reverse();
    const isComplete = events.length < last;
    const oldestShown = Number(shown[0]?.['@timestamp'] ?? queryEnd);
    return {
      events: shown,
      isBefore: (event) => !isComplete && Number(event['@timestamp']) < oldestShown,
    };
  } finally {
    await job[Symbol.asyncDispose]();
  }
}
