// The same code everywhere; what differs comes from the environment. Where there is an ingest token, records are shipped.
// Where there is none, as on a laptop or in a unit test, they are shown and go nowhere.
import { createPinoTransport } from 'logclient/pino';
import pino from 'pino';

const { APP_ENV: env = 'development', LOG_LEVEL: level = 'debug', LOGSCALE_INGEST_TOKEN } = process.env;

const streams = [{ level, stream: process.stdout }];
if (LOGSCALE_INGEST_TOKEN) {
  // The tag tells environments apart that share a repository.
  streams.push({ level, stream: createPinoTransport({ tags: { service: 'orders', env } }) });
}

// In every record, whoever sees it.
const base = { env, version: process.env.APP_VERSION };
export const logger = pino({ level, base }, pino.multistream(streams));
