// A small HTTP service that logs with pino. Only the transport is needed to ship its records.
// Needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN.
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';

const logger = pino(pino.transport({ target: 'logclient/pino', options: { tags: { service: 'shop' } } }));

const routes = ['/products', '/products/7', '/cart', '/checkout'];
const requests = Number(process.env.REQUESTS ?? 120);

for (let i = 0; i < requests; i++) {
  const request = logger.child({
    requestId: `r-${1000 + i}`,
    http: { method: i % 3 ? 'GET' : 'POST', path: routes[i % 4] },
  });
  const ms = 12 + ((i * 37) % 90) + (i % 20 === 19 ? 900 : 0);
  if (i % 30 === 29) {
    request.error({ ms, status: 503, err: new Error('payment provider did not respond') }, 'request failed');
  } else if (ms > 900) {
    request.warn({ ms, status: 200 }, 'slow request');
  } else {
    request.info({ ms, status: 200 }, 'request completed');
  }
  await pause(20);
}
// No flush is needed: queued records are delivered before the process exits.
