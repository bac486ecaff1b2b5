// An ordinary module that logs with pino and contains nothing for tests.
import pino from 'pino';

export const logger = pino({ name: 'payments' });

/** Charges a card. Retries if the provider doesn't respond. */
export async function charge({ order, card, amount }, provider, { attempts = 3 } = {}) {
  const log = logger.child({ order, amount });
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const startedAt = Date.now();
    try {
      const { id } = await provider.charge(card, amount);
      log.info({ attempt, charge: { id }, ms: Date.now() - startedAt }, 'charged');
      return id;
    } catch (err) {
      if (err.code === 'DECLINED') {
        log.warn({ attempt, err }, 'card declined');
        return undefined;
      }
      log[attempt < attempts ? 'warn' : 'error']({ attempt, err }, 'provider did not respond');
    }
  }
  throw new Error(`The order ${order} could not be charged.`);
}
