import { describe, it } from 'vitest';
import { expectPromisesKept, TWO_LOGGERS } from './promises.ts';

const TIMEOUT_MS = 150_000;

const TWO = { among: TWO_LOGGERS };

/** Most of the time is spent waiting, so tests run concurrently. */
describe.concurrent('a service that fails', { timeout: TIMEOUT_MS }, () => {
  it('delivers everything once a token is accepted after 20 seconds of 401, with one warning', () =>
    expectPromisesKept('unauthorized-20s', TWO));

  it('delivers everything when the first request is never answered', () =>
    expectPromisesKept('first-hangs', TWO));

  it('waits as long as Retry-After says with 429', () => expectPromisesKept('retry-after-429', TWO));

  it('waits as long as Retry-After says with 503', () => expectPromisesKept('retry-after-503', TWO));

  it('delivers everything in order to a service that comes up 5 seconds late', () =>
    expectPromisesKept('down-5s', TWO));

  it('delivers everything when the first three requests get 503', () => expectPromisesKept('three-503', TWO));

  it('delivers everything when the first two requests are reset', () =>
    expectPromisesKept('two-resets', TWO));

  it('delivers everything when every third request gets 503', () => expectPromisesKept('third-503', TWO));

  it('delivers everything when every third request gets 429', () => expectPromisesKept('third-429', TWO));

  it('delivers everything when every third request is reset', () => expectPromisesKept('third-reset', TWO));

  it('sends twice at most what was accepted without an acknowledgment', () =>
    expectPromisesKept('third-unacknowledged', TWO));

  it('delivers, after a restart, what programs that were killed had put into their spool', () =>
    expectPromisesKept('sigkill', { atOnce: 2 }));
});
