import type { WorkerContents } from '../../../../src/core/wire/worker-messages.ts';
import records from './demo-records.json';
import type { SearchedEvents } from './run-query.ts';

const START = Date.UTC(2026, 2, 2, 9);
const REPOSITORY = 'demo';

/** What the examples of the tutorial run on: the records of the demo apps. */
export const TUTORIAL_CONTENTS: WorkerContents = {
  // TypeScript gives the records the fields of all others, as undefined.
  repositories: { [REPOSITORY]: records as unknown as Readonly<Record<string, string>>[] },
  now: START + 60_000,
};

/** What they search: the last five minutes, so that charts have few empty buckets. */
export const TUTORIAL: SearchedEvents = {
  repository: REPOSITORY,
  start: START + 60_000 - 300_000,
  end: START + 60_000,
  madeUpTimes: [],
};
