import { describe, it } from 'vitest';
import { expectPromisesKept, TWO_LOGGERS } from './promises.ts';

const TIMEOUT_MS = 90_000;

/** All combinations of logging, ending and failing are in process-end-matrix.test.ts. */
describe('The end of a program', { timeout: TIMEOUT_MS }, () => {
  it('delivers 1,000 records at process.exit()', () => expectPromisesKept('exit', { among: TWO_LOGGERS }));

  it('delivers 1,000 records at an uncaught exception', () =>
    expectPromisesKept('throw', { among: TWO_LOGGERS }));

  it('retries after a 503 at process.exit()', () => expectPromisesKept('exit-503', { among: TWO_LOGGERS }));

  it('retries after a reset at process.exit()', () =>
    expectPromisesKept('exit-reset', { among: TWO_LOGGERS }));

  it('retries after a 503 at an uncaught exception', () =>
    expectPromisesKept('throw-503', { among: TWO_LOGGERS }));

  it('delivers 1,000 records if the event loop is empty', () =>
    expectPromisesKept('natural', { among: TWO_LOGGERS }));

  it('delivers 1,000 records before the logger emits its end', () =>
    expectPromisesKept('close', { among: TWO_LOGGERS }));

  it('reports the number of records that a hanging service did not accept', () =>
    expectPromisesKept('exit-hang', { among: TWO_LOGGERS }));

  it('calls the flush callback once the service has the records', () => expectPromisesKept('flush'));

  it('delivers 1,000 records at SIGTERM with flushOnSignals, and exits with the signal', () =>
    expectPromisesKept('sigterm', { among: TWO_LOGGERS }));
});

describe('Rejected requests', { timeout: TIMEOUT_MS }, () => {
  it('are split if they are too large', () => expectPromisesKept('too-large', { among: TWO_LOGGERS }));

  it('lose only the record that the service rejects, and report it', () =>
    expectPromisesKept('poison', { among: TWO_LOGGERS }));

  it('do not occur for unusual values, which do not throw either', () =>
    expectPromisesKept('odd-values', { among: TWO_LOGGERS }));
});
