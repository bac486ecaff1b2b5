// The same app as before.mjs. It logs the same records, so that your queries still find them. Needs
// LOGSCALE_URL and LOGSCALE_INGEST_TOKEN.
import pino from 'pino';
import { placeOrders } from './orders.mjs';

const logger = pino(
  {
    // additionalAttributes. `base` also replaces pid and hostname, which were ignored.
    base: { service: 'orders' },
    // ignore
    redact: { paths: ['session'], remove: true },
    // Only if your queries use `level=warning`: pino's own label is `warn`.
    formatters: { level: (label) => ({ level: label === 'warn' ? 'warning' : label }) },
  },
  // baseURL and ingestToken come from the environment, or from options: { baseUrl, ingestToken }
  pino.transport({ target: 'logclient/pino' }),
);
placeOrders(logger);

// No wait is needed: queued records are delivered before the process exits.
