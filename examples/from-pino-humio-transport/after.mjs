// What before.mjs does with `pino-humio-transport`: the same records, so that your queries go on finding them. Needs
// LOGSCALE_URL and LOGSCALE_INGEST_TOKEN.
import pino from 'pino';
import { placeOrders } from './orders.mjs';

const logger = pino(
  {
    // additionalAttributes. `base` takes the place of pid and hostname, too, which were ignored.
    base: { service: 'orders' },
    // ignore
    redact: { paths: ['session'], remove: true },
    // Only if your queries say `level=warning`: pino's own name for it is `warn`.
    formatters: { level: (label) => ({ level: label === 'warn' ? 'warning' : label }) },
  },
  // baseURL and ingestToken are in the environment, or are passed: options: { baseUrl, ingestToken }
  pino.transport({ target: 'logclient/pino' }),
);
placeOrders(logger);

// No wait: what is queued is delivered when the process ends.
