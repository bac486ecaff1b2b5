// A service that is down, overloaded or stuck, and recovers.
import {
  endsWith,
  honorsRetryAfter,
  nothingIsDuplicated,
  nothingIsLost,
  onlyUnacknowledgedIsDuplicated,
  orderIsKept,
  printsAtMost,
  sendsAtMost,
} from '../promises.mjs';

const SECOND = 1_000;
// Behind a request that failed several times, other records may be first.
const survivesInAnyOrder = [nothingIsLost, nothingIsDuplicated, endsWith(0)];
const survives = [...survivesInAnyOrder, orderIsKept];
const onFirst = (requests, answer) => () => (request) => (request.index < requests ? answer : undefined);
const onEveryThird = (answer) => () => (request) => (request.index % 3 === 2 ? answer : undefined);

const trickle = {
  work: { records: 1_000, perSecond: 100 },
  ending: 'close on request',
  promises: survives,
  short: { work: { records: 400, perSecond: 100 } },
};

const stream = {
  work: { records: 20_000, perSecond: 5_000 },
  ending: 'close on request',
  // Makes our loggers send more than one request per second, so that more of them fail.
  options: { flushIntervalMs: 100 },
  promises: survives,
  deliveryTimeoutMs: 60 * SECOND,
  short: { work: { records: 4_000, perSecond: 2_000 } },
};

/** @type {import('../scenarios.mjs').Scenario[]} */
export const outage = [
  {
    ...trickle,
    name: 'down-5s',
    title: 'the service is down for the first 5 s',
    down: { fromMs: 0, toMs: 5 * SECOND },
  },
  {
    ...trickle,
    name: 'three-503',
    title: 'the first 3 requests get 503',
    service: onFirst(3, { status: 503 }),
  },
  {
    ...trickle,
    name: 'two-resets',
    title: 'the first 2 requests are reset',
    service: onFirst(2, { reset: true }),
  },
  {
    ...trickle,
    name: 'first-hangs',
    title: 'the first request is never answered',
    service: onFirst(1, { hang: true }),
    deliveryTimeoutMs: 60 * SECOND,
  },
  {
    ...trickle,
    name: 'retry-after-429',
    title: 'the first 2 requests get 429 with Retry-After: 3',
    service: onFirst(2, { status: 429, retryAfter: 3 }),
    promises: [...survives, honorsRetryAfter([429], 3 * SECOND)],
  },
  {
    ...trickle,
    name: 'retry-after-503',
    title: 'the first 2 requests get 503 with Retry-After: 3',
    service: onFirst(2, { status: 503, retryAfter: 3 }),
    promises: [...survives, honorsRetryAfter([503], 3 * SECOND)],
  },
  {
    name: 'unauthorized-20s',
    title: '401 for 20 s: at most 14 requests, one warning, then everything',
    work: { records: 600, perSecond: 100 },
    ending: 'close on request',
    service: () => (request) => (request.sinceStartMs < 20 * SECOND ? { status: 401 } : undefined),
    promises: [...survivesInAnyOrder, sendsAtMost(14, 20 * SECOND), printsAtMost(2)],
    deliveryTimeoutMs: 60 * SECOND,
  },
  {
    ...stream,
    name: 'third-503',
    title: 'every third request gets 503',
    service: onEveryThird({ status: 503 }),
  },
  {
    ...stream,
    name: 'third-429',
    title: 'every third request gets 429 with Retry-After: 1',
    service: onEveryThird({ status: 429, retryAfter: 1 }),
    promises: [...survives, honorsRetryAfter([429], SECOND)],
  },
  {
    ...stream,
    name: 'third-reset',
    title: 'every third request is reset',
    service: onEveryThird({ reset: true }),
  },
  {
    ...stream,
    name: 'third-unacknowledged',
    title: 'every third request is accepted, then reset: duplicates only of these',
    service: onEveryThird({ acceptAndReset: true }),
    promises: [nothingIsLost, onlyUnacknowledgedIsDuplicated, orderIsKept, endsWith(0)],
  },
];
