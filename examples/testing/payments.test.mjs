// Alerts and dashboards depend on what a service logs, so test it. Run: npx vitest run
import { logTest as test } from 'logclient/testing/vitest';
import { beforeEach, describe, expect } from 'vitest';
import { charge, logger } from './payments.mjs';

const order = { order: 'o-17', card: '4111 1111 1111 1111', amount: 41.9 };

/** A payment provider whose first calls fail. */
function provider(failures, error = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })) {
  return {
    async charge() {
      if (failures-- > 0) throw error;
      return { id: 'ch_1' };
    },
  };
}

describe('charge', () => {
  // Captures what the service logs, and keeps it off the terminal.
  beforeEach(({ logs }) => void logs.capture(logger, { quiet: true }));

  test('logs the order and the charge id', async ({ logs }) => {
    await charge(order, provider(0));
    await expect(logs).toHaveLogged({
      level: 'info',
      order: 'o-17',
      charge: { id: 'ch_1' },
      ms: expect.any(Number),
    });
    await expect(logs).not.toHaveLogged('level=warn or level=error');
  });

  test('logs a warning for each failed attempt before it succeeds', async ({ logs }) => {
    await charge(order, provider(2));
    await expect(logs).toHaveLoggedTimes('level=warn err.code=ECONNRESET', 2);
    await expect(logs).toHaveLoggedInOrder([
      { level: 'warn', attempt: 1 },
      { level: 'warn', attempt: 2 },
      'msg=charged attempt=3',
    ]);
  });

  test('logs the error that the alert searches for if the provider never responds', async ({ logs }) => {
    await expect(charge(order, provider(9))).rejects.toThrow('o-17');
    await expect(logs).toHaveLogged('level=error name=payments | groupBy(order) | _count >= 1');
  });

  test('logs a declined card as a warning and does not retry', async ({ logs }) => {
    const declined = Object.assign(new Error('no money'), { code: 'DECLINED' });
    await charge(order, provider(1, declined));
    await expect(logs).toHaveLoggedTimes({ message: 'card declined' }, 1);
    await expect(logs).not.toHaveLogged('level=error');
  });

  test('never logs the card number', async ({ logs }) => {
    await charge(order, provider(1));
    await expect(logs).not.toHaveLogged('/4111[ -]?1111/');
  });

  test('triggers the alert if attempts fail twice within five minutes', async ({ logs }) => {
    await charge(order, provider(2));
    // The alert searches the last five minutes. The test advances the clock past them.
    const alert = 'level=warn | count() | _count >= 2';
    await expect(logs).toHaveLogged(alert, { start: '5 minutes' });
    logs.clock.advance(10 * 60_000);
    await expect(logs).not.toHaveLogged(alert, { start: '5 minutes' });
  });
});
