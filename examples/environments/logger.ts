// The code is the same in every environment. With an ingest token, records are printed and sent. Without one, as on a
// laptop or in a unit test, they are only printed.
import { createPinoTransport } from 'logclient/pino';
import pino from 'pino';

const { APP_ENV: env = 'development', LOG_LEVEL, LOGSCALE_INGEST_TOKEN } = process.env;
const level = (LOG_LEVEL ?? 'debug') as pino.Level;

const streams: pino.StreamEntry[] = [{ level, stream: process.stdout }];
if (LOGSCALE_INGEST_TOKEN) {
  // The tag distinguishes environments that share a repository.
  streams.push({ level, stream: createPinoTransport({ tags: { service: 'orders', env } }) });
}

// These fields are added to every record.
const base = { env, version: process.env.APP_VERSION };
export const logger = pino({ level, base }, pino.multistream(streams));
