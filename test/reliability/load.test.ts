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

describe('many records', { timeout: TIMEOUT_MS }, () => {
  it('delivers 5,000 records a second', () => expectPromisesKept('steady', TWO));

  it('keeps its memory bounded while the service never answers', () =>
    expectPromisesKept('hang-10k', BOUNDED));

  it('keeps its memory bounded when a program logs as fast as it can', () =>
    expectPromisesKept('backlog', OURS));

  it('tells every loss of an outage that is longer than the program', () =>
    expectPromisesKept('outage-20s', TWO));

  it('loses nothing in an outage that is longer than the program, with a spool', () =>
    expectPromisesKept('outage-20s-spool', TWO));
});
