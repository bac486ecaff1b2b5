import { describe, it } from 'vitest';
import { expectPromisesKept, TWO_LOGGERS } from './promises.ts';

const TIMEOUT_MS = 600_000;

const TWO = { among: TWO_LOGGERS, atOnce: 2 };

const BOUNDED = {
  among: ['logclient pino createPinoTransport', 'logclient winston in-process'],
  atOnce: 1,
};

/** Lines that pino's worker has not read, because the service is slow, are buffered in the program by pino. */
const OURS = {
  among: ['logclient pino createPinoTransport', 'logclient pino in-process', 'logclient winston in-process'],
  atOnce: 1,
};

describe('Many records', { timeout: TIMEOUT_MS }, () => {
  it('are delivered at 5,000 records per second', () => expectPromisesKept('steady', TWO));

  it('use bounded memory while the service never responds', () => expectPromisesKept('hang-10k', BOUNDED));

  it('use bounded memory when a program logs as fast as it can', () => expectPromisesKept('backlog', OURS));

  it('are all reported if they are lost in an outage that outlasts the program', () =>
    expectPromisesKept('outage-20s', TWO));

  it('are all kept by a spool in an outage that outlasts the program', () =>
    expectPromisesKept('outage-20s-spool', TWO));
});
