// One logger for all routes. Needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN when the first request arrives.
import { createPinoStream, flush } from 'logclient/pino';
import { after } from 'next/server';
import pino, { type Logger } from 'pino';

let logger: Logger | undefined;

/** Created on first use, because `next build` also loads this file but has no token. */
export function serverLogger(): Logger {
  logger ??= pino(createPinoStream({ tags: { service: 'orders' }, flushOnSignals: true }));
  return logger;
}

/** Returns a logger for one request. Records are delivered after the response, before the platform freezes the process. */
export function loggerOf(request: Request): Logger {
  after(() => flush(serverLogger()));
  return serverLogger().child({
    requestId: request.headers.get('x-request-id') ?? crypto.randomUUID(),
    http: { method: request.method, path: new URL(request.url).pathname },
  });
}

export { flush };
