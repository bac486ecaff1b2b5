// An app that uses `pino-humio-transport`. after.mjs is the same app with logclient.
import pino from 'pino';
import { placeOrders } from './orders.mjs';

const logger = pino(
  pino.transport({
    target: 'pino-humio-transport',
    options: {
      baseURL: process.env.LOGSCALE_URL,
      ingestToken: process.env.LOGSCALE_INGEST_TOKEN,
      additionalAttributes: { service: 'orders' },
      ignore: 'pid,hostname,time,session',
      timezone: 'Europe/Oslo',
      silent: false,
    },
  }),
);
placeOrders(logger);

// The process stays alive for ten seconds, because the transport's worker doesn't exit on its own.
