import { describe, it } from 'vitest';
import { expectPromisesKept, TWO_LOGGERS } from './promises.ts';

const TWO = { among: TWO_LOGGERS };

describe.concurrent('Requests that fail the same way each time', () => {
  it.each([
    ['one record makes its request be reset', 'bad-reset'],
    ['one record gets 500', 'bad-500'],
    ['one record gets 500 and the queue is small', 'bad-500-small-queue'],
    ['one record in a spool gets 500, and the program restarts', 'bad-500-restart'],
    ['the service is slow', 'slow-service'],
    ['the link is slow', 'slow-link'],
    ['1 % of the records get 403', 'refused-1-percent'],
    ['0.1 % of the records get 403', 'refused-1-permille'],
    ['1 % of the records get 413', 'too-large-alone'],
    ['one of the first records gets 403', 'refused-first'],
  ])('lose no other record if %s', (_, name) => expectPromisesKept(name, TWO));
});
