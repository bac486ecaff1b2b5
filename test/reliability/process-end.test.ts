import { describe, it } from 'vitest';
import { expectPromisesKept, TWO_LOGGERS } from './promises.ts';

const TIMEOUT_MS = 90_000;

/** All combinations of logging, ending and failing are in process-end-matrix.test.ts. */
describe('the end of a program', { timeout: TIMEOUT_MS }, () => {
  it('delivers 1000 records at process.exit()', () => expectPromisesKept('exit', { among: TWO_LOGGERS }));

  it('delivers 1000 records at an uncaught exception', () =>
    expectPromisesKept('throw', { among: TWO_LOGGERS }));

  it('tries again after a 503 at process.exit()', () =>
    expectPromisesKept('exit-503', { among: TWO_LOGGERS }));

  it('tries again after a reset at process.exit()', () =>
    expectPromisesKept('exit-reset', { among: TWO_LOGGERS }));

  it('tries again after a 503 at an uncaught exception', () =>
    expectPromisesKept('throw-503', { among: TWO_LOGGERS }));

  it('delivers 1000 records when the program ends by itself', () =>
    expectPromisesKept('natural', { among: TWO_LOGGERS }));

  it('delivers 1000 records before the logger says that it has ended', () =>
    expectPromisesKept('close', { among: TWO_LOGGERS }));

  it('tells how many records a service that never answers did not take', () =>
    expectPromisesKept('exit-hang', { among: TWO_LOGGERS }));

  it('calls back from flush when the service has the records', () => expectPromisesKept('flush'));

  it('delivers 1000 records at SIGTERM with flushOnSignals, and ends by the signal', () =>
    expectPromisesKept('sigterm', { among: TWO_LOGGERS }));
});

describe('what the service refuses', { timeout: TIMEOUT_MS }, () => {
  it('splits requests that are too large for the service', () =>
    expectPromisesKept('too-large', { among: TWO_LOGGERS }));

  it('loses the record that the service refuses, tells of it, and delivers its neighbors', () =>
    expectPromisesKept('poison', { among: TWO_LOGGERS }));

  it('delivers odd values without throwing', () => expectPromisesKept('odd-values', { among: TWO_LOGGERS }));
});
