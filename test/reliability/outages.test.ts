import { describe, it } from 'vitest';
import { expectPromisesKept, TWO_LOGGERS } from './promises.ts';

const TIMEOUT_MS = 150_000;

const TWO = { among: TWO_LOGGERS };

/** Most of the time is spent waiting, so tests run concurrently. */
describe.concurrent('Delivery to a failing service', { timeout: TIMEOUT_MS }, () => {
  it('sends everything once a token is accepted after 20 seconds of 401, with one warning and its end', () =>
    expectPromisesKept('unauthorized-20s', TWO));

  it('sends everything if the first request never gets a response', () =>
    expectPromisesKept('first-hangs', TWO));

  it('waits for the Retry-After of a 429', () => expectPromisesKept('retry-after-429', TWO));

  it('waits for the Retry-After of a 503', () => expectPromisesKept('retry-after-503', TWO));

  it('sends everything in order to a service that starts 5 seconds late', () =>
    expectPromisesKept('down-5s', TWO));

  it('sends everything if the first three requests get a 503', () => expectPromisesKept('three-503', TWO));

  it('sends everything if the first two requests are reset', () => expectPromisesKept('two-resets', TWO));

  it('sends everything if every third request gets a 503', () => expectPromisesKept('third-503', TWO));

  it('sends everything if every third request gets a 429', () => expectPromisesKept('third-429', TWO));

  it('sends everything if every third request is reset', () => expectPromisesKept('third-reset', TWO));

  it('repeats at most the records that were accepted without an acknowledgment', () =>
    expectPromisesKept('third-unacknowledged', TWO));

  it('after a restart, sends the records that killed programs left in their spool', () =>
    expectPromisesKept('sigkill', { atOnce: 2 }));
});
