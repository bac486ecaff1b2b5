// A part of an app as it is found everywhere: it logs with pino, and knows nothing of tests.
import pino from 'pino';

export const logger = pino({ name: 'payments' });

/** Charges a card; tries again when the provider does not answer. */
export async function charge({ order, card, amount }, provider, { attempts = 3 } = {}) {
  const log = logger.child({ order, amount });
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const begunAt = Date.now();
    try {
      const { id } = await provider.charge(card, amount);
      log.info({ attempt, charge: { id }, ms: Date.now() - begunAt }, 'charged');
      return id;
    } catch (err) {
      if (err.code === 'DECLINED') {
        log.warn({ attempt, err }, 'card declined');
        return undefined;
      }
      log[attempt < attempts ? 'warn' : 'error']({ attempt, err }, 'provider does not answer');
    }
  }
  throw new Error(`The order ${order} could not be charged.`);
}
