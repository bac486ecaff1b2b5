// What a spool keeps: through SIGKILL, and through an outage that outlasts the program.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endsWith, nothingIsLost, orderIsKept, printsAtMost } from '../promises.mjs';
import { NUMBERS_PER_PROGRAM, RECORD_MARK, seededRandom } from '../record.mjs';
import { runOf, startChild } from '../stage.mjs';

const SECOND = 1_000;

/** Number range of the last program, which delivers what the others left. */
const LAST_PROGRAM = 9;

/** Only records of a request in flight at the kill may arrive twice. */
export function onlyRequestsAtKillAreDuplicated({ duplicates, requests, kills }) {
  const largest = Math.max(0, ...requests.map(({ records }) => records));
  if (duplicates > kills * largest)
    return `${duplicates} twice after ${kills} kills, the largest request had ${largest}`;
}

/** Runs programs one after another with the same spool directory. */
export async function withSpool(scene, playIn) {
  const directory = await mkdtemp(join(tmpdir(), 'logclient-spool-'));
  try {
    return await playIn({ ...scene, options: { ...scene.options, spool: { directory } } });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** How long a program may take to accept its first record, and how often to check. */
const DELIVERY_TIMEOUT_MS = 20 * SECOND;
const LOOK_EVERY_MS = 20;

/** Kills programs at random moments; the last program delivers their records. */
function playKills({ scene, loggerName, isOwn, oracle }) {
  return withSpool(scene, async (spooled) => {
    const random = seededRandom(scene.seed);
    const accepted = [];
    let first = 0;
    oracle.start();
    for (let kill = 0; kill < scene.kills; kill++) {
      const work = { ...scene.work, first };
      const child = startChild({ scene: spooled, loggerName, isOwn, url: oracle.url, work, ending: 'stay' });
      const { directory } = spooled.options.spool;
      await child.event('logging');
      // A worker may still be starting.
      await firstIsThere({ directory, oracle, first });
      await new Promise((resolve) => setTimeout(resolve, 300 + random() * scene.longestMs));
      child.kill('SIGKILL');
      await child.ended;
      const records = await acceptedBy(child, { loggerName, directory, oracle, first });
      accepted.push([first, first + records]);
      first += NUMBERS_PER_PROGRAM;
    }
    const run = await deliverTheRest({ scene: spooled, loggerName, isOwn, oracle, accepted });
    return { ...run, kills: scene.kills };
  });
}

/** Resolves when the first record of a program is in its spool or at the service, or after the timeout. */
async function firstIsThere({ directory, oracle, first }) {
  const until = performance.now() + DELIVERY_TIMEOUT_MS;
  while (performance.now() < until) {
    if (oracle.has(first)) return;
    // A file can be deleted while it is read: its records have been delivered then.
    const spooled = await numbersIn(directory).catch(() => new Set());
    if (spooled.has(first)) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/**
 * Number of records that a killed program had certainly accepted, counted from the first: those in its spool or at the
 * service, and in the same thread also those whose log call had returned.
 */
async function acceptedBy({ progress, killedAt }, { loggerName, directory, oracle, first }) {
  const spooled = await numbersIn(directory);
  let accepted = 0;
  while (spooled.has(first + accepted) || oracle.has(first + accepted)) accepted++;
  if (!loggerName.endsWith('in-process')) return accepted;
  return Math.max(accepted, progress.findLast(({ at }) => at <= killedAt)?.records ?? 0);
}

/** The numbers of the records in a spool's files. */
async function numbersIn(directory) {
  const numbers = new Set();
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.log')) continue;
    const text = await readFile(join(entry.parentPath, entry.name), 'utf8');
    for (const [, number] of text.matchAll(RECORD_MARK)) numbers.add(Number(number));
  }
  return numbers;
}

/** A program that logs during the whole outage, and a second one that delivers its records. */
function playOutage({ scene, loggerName, isOwn, oracle }) {
  return withSpool(scene, async (spooled) => {
    const { url } = oracle;
    const child = startChild({ scene: spooled, loggerName, isOwn, url });
    oracle.start((await child.event('logging'))?.at);
    await new Promise((resolve) => setTimeout(resolve, scene.down.fromMs));
    await oracle.close();
    await child.endsWithin(60 * SECOND);
    await oracle.open();
    const accepted = [[0, child.events.logged?.records ?? 0]];
    const run = await deliverTheRest({ scene: spooled, loggerName, isOwn, oracle, accepted });
    const { code, signal } = await child.ended;
    return {
      ...run,
      exit: code === 0 ? run.exit : { code, signal },
      stderr: child.stderr + run.stderr,
      peakRss: Math.max(child.peakRss, run.peakRss),
      tokenShown: run.tokenShown || child.stderr.includes('secret-of'),
    };
  });
}

/** Starts a program that logs one record, and waits until the records of earlier programs have arrived. */
export async function deliverTheRest({ scene, loggerName, isOwn, oracle, accepted }) {
  const isThere = () => accepted.every(([from, to]) => isRangeThere(oracle, from, to));
  const work = { ...scene.work, records: 1, first: LAST_PROGRAM * NUMBERS_PER_PROGRAM };
  const child = startChild({ scene, loggerName, isOwn, url: oracle.url, work, ending: 'close on request' });
  await oracle.becomes(isThere, scene.deliveryTimeoutMs);
  child.requestClose();
  const killed = !(await child.endsWithin(30 * SECOND));
  const run = await runOf({ scene, loggerName, oracle, child, endMs: 0, killed });
  const logged = accepted.reduce((sum, [from, to]) => sum + to - from, 0);
  const lost = accepted.reduce((sum, [from, to]) => sum + countMissing(oracle, from, to), 0);
  return { ...run, logged, delivered: logged - lost, lost };
}

function isRangeThere(oracle, from, to) {
  // The last records arrive last.
  return to === from || (oracle.has(to - 1) && countMissing(oracle, from, to) === 0);
}

function countMissing(oracle, from, to) {
  let missing = 0;
  for (let number = from; number < to; number++) if (!oracle.has(number)) missing++;
  return missing;
}

/** @type {import('../scenarios.mjs').Scenario[]} */
export const crash = [
  {
    name: 'sigkill',
    title: 'SIGKILL at random moments, with a spool: what was accepted arrives after a restart (ours alone)',
    ownOnly: true,
    work: { records: 100_000, perSecond: 2_000 },
    progress: true,
    kills: 5,
    seed: 4_711,
    longestMs: 3_000,
    service: () => (request) => (request.index % 4 === 3 ? { status: 503 } : { delayMs: 50 }),
    options: { flushIntervalMs: 100 },
    deliveryTimeoutMs: 60 * SECOND,
    play: playKills,
    promises: [nothingIsLost, orderIsKept, onlyRequestsAtKillAreDuplicated, endsWith(0)],
    short: { kills: 3, longestMs: 2_000 },
  },
  {
    name: 'outage-20s-spool',
    title:
      '300,000 records at 20,000 per second, no service after second 1, with a spool, then a restart (ours alone)',
    ownOnly: true,
    heavy: true,
    work: { records: 300_000, perSecond: 20_000, bytes: 280 },
    ending: 'close',
    down: { fromMs: SECOND },
    deliveryTimeoutMs: 120 * SECOND,
    play: playOutage,
    promises: [nothingIsLost, orderIsKept, endsWith(0), printsAtMost(4)],
    short: { work: { records: 40_000, perSecond: 20_000, bytes: 280 }, down: { fromMs: 500 } },
  },
];
