import pino from 'pino';

export const logger = pino({ name: 'payments' });

/** Charges a card, which has to have enough money. */
export function charge(order, amount, balance) {
  const log = logger.child({ order, amount });
  if (amount > balance) {
    log.error(new Error('card declined'), 'payment failed');
    return false;
  }
  log.info('charged');
  return true;
}
