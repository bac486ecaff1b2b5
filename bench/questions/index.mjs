// All benchmark questions, in the order in which they run.
import { crowd } from './crowd.mjs';
import { files } from './files.mjs';
import { growth } from './growth.mjs';
import { gzip } from './gzip.mjs';
import { hostile } from './hostile.mjs';
import { ingest } from './ingest.mjs';
import { page } from './page.mjs';
import { queries } from './queries.mjs';
import { queryMemory } from './query-memory.mjs';
import { reading } from './reading.mjs';
import { spool } from './spool.mjs';
import { start } from './start.mjs';
import { steady } from './steady.mjs';
import { streaming } from './streaming.mjs';
import { transports } from './transports.mjs';

/** Imported only when it runs, because it bundles the sources first. */
const fleet = {
  name: 'fleet',
  title: 'many processes, one service with a rate limit (simulated)',
  run: async (settings) => (await import('./fleet.mjs')).runFleet(settings),
};

export const questions = [
  transports,
  start,
  steady,
  growth,
  gzip,
  spool,
  streaming,
  reading,
  ingest,
  queries,
  files,
  hostile,
  crowd,
  page,
  queryMemory,
  fleet,
];

/** @throws Error for an unknown name */
export function questionNamed(name) {
  const question = questions.find((each) => each.name === name);
  if (question !== undefined) return question;
  throw new Error(`There is no question ${name}: ${questions.map((each) => each.name).join(', ')}`);
}
