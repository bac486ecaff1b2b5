import type { QueryAround } from '../../src/core/wire/query.ts';

/** Shapes that the service was observed to send. */

export interface TestEvent {
  readonly '@id': string;
  readonly '@timestamp': number;
  readonly [field: string]: string | number;
}

const BEGIN = 1_770_000_000_000;

/** Events, oldest first, with `perInstant` events per timestamp. */
export function makeEvents(count: number, perInstant = 1): TestEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const timestamp = BEGIN + Math.floor(index / perInstant) * 10;
    return {
      '@id': `Zk1aB2cD3eF4_0_${index}_${Math.floor(timestamp / 1000)}`,
      '@timestamp': timestamp,
      '@timezone': 'Z',
      '@rawstring': `message ${index}`,
      '#type': 'kv',
      '#repo': 'sandbox_AbCdEf123',
    };
  });
}

export interface PollAnswer {
  events?: readonly object[];
  done?: boolean;
  cancelled?: boolean;
  isAggregate?: boolean;
  hasMoreEvents?: boolean;
  pollAfter?: number;
  metaData?: object;
}

/** The response to a poll. */
export function pollAnswer(answer: PollAnswer = {}): object {
  const { events = [], done = true, cancelled = false, isAggregate = false, hasMoreEvents = false } = answer;
  return {
    cancelled,
    done,
    events,
    metaData: {
      eventCount: events.length,
      extraData: isAggregate ? {} : { hasMoreEvents: String(hasMoreEvents) },
      filterQuery: {
        queryString: '*',
        start: BEGIN,
        end: BEGIN + 86_400_000,
        isLive: false,
        isInteractive: false,
        includeDeletedEvents: false,
        showQueryEventDistribution: false,
        noResultUntilDone: false,
      },
      isAggregate,
      pollAfter: answer.pollAfter ?? 5,
      processedBytes: 0,
      processedEvents: events.length,
      queryStart: BEGIN,
      queryEnd: BEGIN + 86_400_000,
      resultBufferSize: events.length,
      timeMillis: 9,
      totalWork: 2,
      workDone: done ? 2 : 0,
      warnings: [],
      ...answer.metaData,
    },
  };
}

/** The newest 200 events, or those next to a known one, in the service's order. */
export function resultBuffer(events: readonly TestEvent[], around?: QueryAround): object {
  let matching = events;
  if (around !== undefined) {
    const index = events.findIndex((event) => event['@id'] === around.eventId);
    // The known event is included.
    matching = events.slice(Math.max(0, index - (around.numberOfEventsBefore ?? 100)), index + 1);
  }
  const newest = matching.slice(-200).reverse();
  return pollAnswer({ events: newest, hasMoreEvents: newest.length < matching.length });
}
