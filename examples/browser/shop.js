import { createLogger } from 'logclient/browser';

const log = createLogger({ url: '/logs', captureErrors: true, context: { release: '1.4.0' } });
const cartLog = log.child({ component: 'cart' });

const on = (id, listener) => document.getElementById(id).addEventListener('click', listener);
let items = 0;

on('add', () => {
  items++;
  document.getElementById('cart').textContent = items;
  cartLog.info('item added', { items });
});

on('pay', async () => {
  try {
    await pay();
  } catch (error) {
    // The record has the stack and the cause of the error in its field `error`.
    cartLog.error('payment failed', { error, items });
  }
});

async function pay() {
  throw new Error('no payment method', { cause: new Error('the wallet is empty') });
}

on('crash', () => {
  // Logged by `captureErrors`.
  throw new TypeError('the crash button was pressed');
});

log.info('page opened');
