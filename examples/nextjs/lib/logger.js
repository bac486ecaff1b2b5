// One logger for all routes. It runs in-process, for Next.js bundles what is imported, and a worker has no file to start
// from then. Run `npx logclient serve` and set what it prints: LOGSCALE_URL and LOGSCALE_INGEST_TOKEN.
import { createPinoStream, flush } from 'logclient/pino';
import { after } from 'next/server';
import pino from 'pino';

let logger;

/** Made when it is needed: `next build` loads this file as well, and has no token. */
export function serverLogger() {
  logger ??= pino(createPinoStream({ tags: { service: 'orders' }, flushOnSignals: true }));
  return logger;
}

/** The logger of one request. Its records are delivered after the answer, before the platform freezes the process. */
export function loggerOf(request) {
  after(() => flush(serverLogger()));
  return serverLogger().child({
    requestId: request.headers.get('x-request-id') ?? crypto.randomUUID(),
    http: { method: request.method, path: new URL(request.url).pathname },
  });
}

export { flush };
