// The end of a process: on its own, by process.exit(), by an error, by a signal.
import {
  endsWith,
  everyLossIsReported,
  flushMeansDelivered,
  nothingIsDuplicated,
  nothingIsLost,
  orderIsKept,
  printsAtMost,
} from '../promises.mjs';

const deliversAll = [nothingIsLost, nothingIsDuplicated, orderIsKept];
const onFirst = (answer) => () => (request) => (request.index === 0 ? answer : undefined);

const thousand = { work: { records: 1_000 }, promises: [...deliversAll, endsWith(0), printsAtMost(0)] };

/** @type {import('../scenarios.mjs').Scenario[]} */
export const processEnd = [
  { ...thousand, name: 'exit', title: 'log 1000, then process.exit(0) at once', ending: 'exit' },
  {
    ...thousand,
    name: 'throw',
    title: 'log 1000, then an uncaught throw',
    ending: 'throw',
    promises: [...deliversAll, endsWith(1)],
  },
  {
    ...thousand,
    name: 'exit-503',
    title: 'log 1000, process.exit(0), the first request gets 503',
    ending: 'exit',
    service: onFirst({ status: 503 }),
  },
  {
    ...thousand,
    name: 'exit-reset',
    title: 'log 1000, process.exit(0), the first request is reset',
    ending: 'exit',
    service: onFirst({ reset: true }),
  },
  {
    ...thousand,
    name: 'throw-503',
    title: 'log 1000, an uncaught throw, the first request gets 503',
    ending: 'throw',
    service: onFirst({ status: 503 }),
    promises: [...deliversAll, endsWith(1)],
  },
  { ...thousand, name: 'natural', title: 'log 1000, let the process end', ending: 'natural' },
  { ...thousand, name: 'close', title: "log 1000, end(), exit on 'finish' or 'close'", ending: 'close' },
  {
    name: 'exit-hang',
    title: 'log 1000, process.exit(0), the service never answers: every loss is reported',
    work: { records: 1_000 },
    ending: 'exit',
    service: () => () => ({ hang: true }),
    promises: [everyLossIsReported, endsWith(0)],
  },
  {
    name: 'flush',
    title: 'log 200, logger.flush(cb), a service that takes 150 ms: delivered when the callback runs',
    kind: 'pino',
    work: { records: 200 },
    ending: 'flush',
    service: () => () => ({ delayMs: 150 }),
    promises: [flushMeansDelivered, nothingIsLost, endsWith(0)],
  },
  {
    ...thousand,
    name: 'sigterm',
    title: 'log 1000, SIGTERM, no handler in the program (ours with flushOnSignals)',
    ending: 'stay',
    signal: 'SIGTERM',
    options: { flushOnSignals: true },
    promises: [...deliversAll, endsWith('SIGTERM')],
  },
];
