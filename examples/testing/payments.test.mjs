// What a service logs is part of what it does: alerts and dashboards depend on it. Run: npx vitest run
import { logTest as test } from 'logclient/testing/vitest';
import { beforeEach, describe, expect } from 'vitest';
import { charge, logger } from './payments.mjs';

const order = { order: 'o-17', card: '4111 1111 1111 1111', amount: 41.9 };

/** A provider that fails so many times, and then takes the money. */
function provider(failures, error = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })) {
  return {
    async charge() {
      if (failures-- > 0) throw error;
      return { id: 'ch_1' };
    },
  };
}

describe('a charge', () => {
  // The one line that lets the test see what the service logs, and keeps it off the terminal.
  beforeEach(({ logs }) => void logs.capture(logger, { quiet: true }));

  test('is logged with its order and its id', async ({ logs }) => {
    await charge(order, provider(0));
    await expect(logs).toHaveLogged({
      level: 'info',
      order: 'o-17',
      charge: { id: 'ch_1' },
      ms: expect.any(Number),
    });
    await expect(logs).not.toHaveLogged('level=warn or level=error');
  });

  test('warns for each failed attempt, before it is a success', async ({ logs }) => {
    await charge(order, provider(2));
    await expect(logs).toHaveLoggedTimes('level=warn err.code=ECONNRESET', 2);
    await expect(logs).toHaveLoggedInOrder([
      { level: 'warn', attempt: 1 },
      { level: 'warn', attempt: 2 },
      'msg=charged attempt=3',
    ]);
  });

  test('is an error when the provider never answers: what the alert looks for', async ({ logs }) => {
    await expect(charge(order, provider(9))).rejects.toThrow('o-17');
    await expect(logs).toHaveLogged('level=error name=payments | groupBy(order) | _count >= 1');
  });

  test('that is declined is no error, and is not tried again', async ({ logs }) => {
    const declined = Object.assign(new Error('no money'), { code: 'DECLINED' });
    await charge(order, provider(1, declined));
    await expect(logs).toHaveLoggedTimes({ message: 'card declined' }, 1);
    await expect(logs).not.toHaveLogged('level=error');
  });

  test('never logs the number of a card', async ({ logs }) => {
    await charge(order, provider(1));
    await expect(logs).not.toHaveLogged('/4111[ -]?1111/');
  });

  test('that fails again and again within five minutes is what the alert counts', async ({ logs }) => {
    await charge(order, provider(2));
    // The alert's query looks back from now, and the test moves that.
    const alert = 'level=warn | count() | _count >= 2';
    await expect(logs).toHaveLogged(alert, { start: '5 minutes' });
    logs.clock.advance(10 * 60_000);
    await expect(logs).not.toHaveLogged(alert, { start: '5 minutes' });
  });
});
