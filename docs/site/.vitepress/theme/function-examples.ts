import type { WorkerContents } from '../../../../src/core/wire/worker-messages.ts';
import { EXAMPLE_ADDRESSES, EXAMPLE_EVENTS } from '../../../../test/engine/example-events.ts';
import { SAMPLE_EVENTS, SAMPLE_FILES, SAMPLE_INTERVAL } from '../../../../test/engine/sample-data.ts';

import type { SearchedEvents } from './run-query.ts';

type Event = Readonly<Record<string, string>>;

/** Events that most examples read. */
const SAMPLE = 'sample';

/** What the examples of the function reference run on: a repository for each function that has its own events. */
export const FUNCTION_CONTENTS: WorkerContents = {
  repositories: {
    [SAMPLE]: timed(SAMPLE_EVENTS),
    ...Object.fromEntries(
      Object.entries(EXAMPLE_EVENTS).map(([name, events]) => [repositoryOf(name), timed(events)]),
    ),
  },
  now: SAMPLE_INTERVAL.end,
  files: Object.fromEntries(Object.entries(SAMPLE_FILES).map(([name, lines]) => [name, lines.join('\n')])),
  addresses: EXAMPLE_ADDRESSES,
};

/** What the example of a function searches. */
export function exampleOf(name: string): SearchedEvents {
  const own = EXAMPLE_EVENTS[name];
  const events = own ?? SAMPLE_EVENTS;
  const times = events.flatMap(({ '@timestamp': time }) => (time === undefined ? [] : [Number(time)]));
  return {
    repository: own === undefined ? SAMPLE : repositoryOf(name),
    start: Math.min(SAMPLE_INTERVAL.start, ...times),
    end: Math.max(SAMPLE_INTERVAL.end, ...times),
    madeUpTimes: times.length > 0 ? [] : events.map((_, index) => String(SAMPLE_INTERVAL.start + index)),
  };
}

function repositoryOf(name: string): string {
  return `of-${name.replace(/\W/g, '-')}`;
}

/** Stored events have a time. Those without get the start of the interval, in their order. */
function timed(events: readonly Event[]): readonly Event[] {
  return events.map((event, index) => ({ '@timestamp': String(SAMPLE_INTERVAL.start + index), ...event }));
}
