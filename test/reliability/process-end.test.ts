import { describe, it } from 'vitest';
import { expectPromisesKept, TWO_LOGGERS } from './promises.ts';

const TIMEOUT_MS = 90_000;

/** All combinations of logging, ending and failing are in process-end-matrix.test.ts. */
describe('A program that ends', { timeout: TIMEOUT_MS }, () => {
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

describe('Delivery of difficult records', { timeout: TIMEOUT_MS }, () => {
  it('splits requests that are too large for the service', () =>
    expectPromisesKept('too-large', { among: TWO_LOGGERS }));

  it('loses and reports only the record that the service rejects', () =>
    expectPromisesKept('poison', { among: TWO_LOGGERS }));

  it('delivers unusual values without throwing', () =>
    expectPromisesKept('odd-values', { among: TWO_LOGGERS }));
});
