// Many records, with a service that accepts them and with one that does not.
import {
  countersBalance,
  endsWith,
  endsWithin,
  everyLossIsReported,
  growsAtMost,
  nothingIsDuplicated,
  nothingIsLost,
  onlyUnacknowledgedIsDuplicated,
  orderIsKept,
  printsAtMost,
  staysBelow,
} from '../promises.mjs';

const SECOND = 1_000;

/** @type {import('../scenarios.mjs').Scenario[]} */
export const load = [
  {
    name: 'steady',
    title: '5,000 records per second for 20 s, a healthy service',
    heavy: true,
    work: { records: 100_000, perSecond: 5_000 },
    ending: 'close on request',
    promises: [
      nothingIsLost,
      nothingIsDuplicated,
      orderIsKept,
      countersBalance,
      endsWith(0),
      printsAtMost(0),
    ],
    short: { work: { records: 20_000, perSecond: 5_000 } },
  },
  {
    name: 'hang-10k',
    title:
      'the service never answers, 10,000 records of 350 B per second for 30 s: at most 64 MiB above the idle logger',
    heavy: true,
    work: { records: 300_000, perSecond: 10_000, bytes: 350 },
    ending: 'close',
    idle: true,
    service: () => () => ({ hang: true }),
    promises: [growsAtMost(64), everyLossIsReported, countersBalance, endsWith(0), endsWithin(10 * SECOND)],
    short: { work: { records: 30_000, perSecond: 10_000, bytes: 350 } },
  },
  {
    name: 'backlog',
    title: 'a million records as fast as the program can log, 100 per turn: at most 200 MB',
    heavy: true,
    work: { records: 1_000_000, perTurn: 100, bytes: 280 },
    ending: 'close on request',
    promises: [
      everyLossIsReported,
      nothingIsDuplicated,
      orderIsKept,
      staysBelow(200),
      countersBalance,
      endsWith(0),
    ],
    deliveryTimeoutMs: 120 * SECOND,
    short: { work: { records: 200_000, perTurn: 100, bytes: 280 }, deliveryTimeoutMs: 30 * SECOND },
  },
  {
    name: 'outage-20s',
    title:
      '300,000 records at 20,000 per second, no service from second 1 to 21, close() at 15 s: every loss is reported',
    heavy: true,
    work: { records: 300_000, perSecond: 20_000, forMs: 15 * SECOND, bytes: 280 },
    ending: 'close',
    down: { fromMs: SECOND, toMs: 21 * SECOND },
    promises: [
      everyLossIsReported,
      countersBalance,
      onlyUnacknowledgedIsDuplicated,
      orderIsKept,
      endsWith(0),
      endsWithin(10 * SECOND),
    ],
    short: {
      work: { records: 60_000, perSecond: 20_000, forMs: 3 * SECOND, bytes: 280 },
      down: { fromMs: 500, toMs: 30 * SECOND },
    },
  },
];
