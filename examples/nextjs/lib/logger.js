// One logger for all routes. It runs in-process, for Next.js bundles what is imported, and a worker has no file to start
// from then. Run `npx logclient serve` and set what it prints: LOGSCALE_URL and LOGSCALE_INGEST_TOKEN.
import { createPinoStream, flush } from 'logclient/pino';
import { after } from 'next/server';
import pino from 'pino';

const logger = pino(createPinoStream({ tags: { service: 'orders' }, flushOnSignals: true }));

/** The logger of one request. Its records are delivered after the answer, before the platform freezes the process. */
export function loggerOf(request) {
  after(() => flush(logger));
  return logger.child({
    requestId: request.headers.get('x-request-id') ?? crypto.randomUUID(),
    http: { method: request.method, path: new URL(request.url).pathname },
  });
}

export { flush, logger };
