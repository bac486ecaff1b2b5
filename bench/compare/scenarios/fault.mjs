// Requests that fail the same way each time, because of one of their records or of their size. The service is healthy for
// everything else, so every other record must arrive.
import { endsWith, everyLossIsReported, losesAtMost, nothingIsLost } from '../promises.mjs';
import { startChild } from '../stage.mjs';
import { deliverTheRest, withSpool } from './crash.mjs';

const SECOND = 1_000;
/** Number of the record at fault. */
const FAULT = 150;
/** Makes a run of a few seconds with our loggers show what takes a minute with the default delays. */
const SOON = { minRetryDelayMs: 20, maxRetryDelayMs: 200, flushIntervalMs: 50 };

const isFault = (number) => number === FAULT;
const isEvery = (count) => (number) => number % count === count / 2;

/** One of `isBad` makes its request fail. */
function failing(isBad, answer, { records, perSecond, options, shortRecords = 300, shortRate = 600 }) {
  const bad = (count) => Array.from({ length: count }, (_, number) => number).filter(isBad).length;
  const changes = (count, rate) => ({
    work: { records: count, perSecond: rate },
    expected: count - bad(count),
    promises: [losesAtMost(bad(count)), everyLossIsReported, endsWith(0)],
  });
  return {
    ...changes(records, perSecond),
    ending: 'close on request',
    service: () => (request) => (request.numbers.some(isBad) ? answer : undefined),
    options,
    deliveryTimeoutMs: 90 * SECOND,
    short: { ...changes(shortRecords, shortRate), options: { ...options, ...SOON } },
  };
}

/** A program that is killed while it has a record at fault in its spool, and one that delivers the rest. */
function playRestart({ scene, loggerName, isOwn, oracle }) {
  return withSpool(scene, async (spooled) => {
    const child = startChild({ scene: spooled, loggerName, isOwn, url: oracle.url, ending: 'stay' });
    oracle.start((await child.event('logging'))?.at);
    await child.event('logged');
    // A worker may not have read all lines.
    await oracle.becomes(() => oracle.has(scene.work.records - 1), scene.deliveryTimeoutMs);
    child.kill('SIGKILL');
    await child.ended;
    const accepted = [
      [0, FAULT],
      [FAULT + 1, scene.work.records],
    ];
    return deliverTheRest({ scene: spooled, loggerName, isOwn, oracle, accepted });
  });
}

/** A service that needs time for each record, or each kilobyte. */
function slow(delayMs, { work, short }) {
  const scene = (each) => ({ work: each, service: () => (request) => ({ delayMs: delayMs(request) }) });
  return {
    ...scene(work),
    ending: 'close on request',
    promises: [nothingIsLost, endsWith(0)],
    deliveryTimeoutMs: 90 * SECOND,
    short: { ...scene(short), options: { ...SOON, requestTimeoutMs: 400 } },
  };
}

/** @type {import('../scenarios.mjs').Scenario[]} */
export const fault = [
  {
    name: 'bad-reset',
    title: '200 records per second for 30 s, one of them makes its request be reset',
    ...failing(isFault, { reset: true }, { records: 6_000, perSecond: 200 }),
  },
  {
    name: 'bad-500',
    title: '50 records per second for a minute, one of them makes its request fail with 500',
    ...failing(isFault, { status: 500 }, { records: 3_000, perSecond: 50 }),
  },
  {
    name: 'bad-500-small-queue',
    title: 'the same at 200 per second with a queue of 60 kB',
    ...failing(
      isFault,
      { status: 500 },
      {
        ...{ records: 6_000, perSecond: 200, shortRecords: 240, shortRate: 300 },
        options: { maxQueueBytes: 60_000, minRetryDelayMs: 200 },
      },
    ),
  },
  {
    name: 'bad-500-restart',
    title: 'the same with a spool, a kill and a restart (ours alone)',
    ...failing(isFault, { status: 500 }, { records: 1_500, perSecond: 50 }),
    ownOnly: true,
    play: playRestart,
    promises: [nothingIsLost, endsWith(0)],
    short: { work: { records: 160, perSecond: 800 }, options: SOON },
  },
  {
    name: 'slow-service',
    title: '6,000 records at once, a service that takes 3 ms per record',
    ...slow(({ numbers }) => 3 * numbers.length, { work: { records: 6_000 }, short: { records: 200 } }),
  },
  {
    name: 'slow-link',
    title: '300 records of 4 kB at once, a link of 60 kB/s',
    ...slow(({ bytes }) => bytes / 60, {
      work: { records: 300, bytes: 4_000 },
      short: { records: 8, bytes: 4_000 },
    }),
  },
  {
    name: 'refused-1-percent',
    title: '200 records per second for a minute, each hundredth makes its request fail with 403',
    ...failing(isEvery(100), { status: 403 }, { records: 12_000, perSecond: 200 }),
  },
  {
    name: 'refused-1-permille',
    title: '200 records per second for a minute, each thousandth makes its request fail with 403',
    ...failing(isEvery(1_000), { status: 403 }, { records: 12_000, perSecond: 200, shortRecords: 600 }),
  },
  {
    name: 'too-large-alone',
    title: '200 records per second for a minute, each hundredth makes its request fail with 413',
    ...failing(isEvery(100), { status: 413 }, { records: 12_000, perSecond: 200, shortRecords: 160 }),
  },
  {
    name: 'refused-first',
    title: 'one of the first records makes its request fail with 403',
    ...failing((number) => number === 1, { status: 403 }, { records: 6_000, perSecond: 200 }),
  },
];
