// Logs the warnings and errors of all services with a winston logger, at their original levels. Stops on Ctrl-C.
// Needs LOGSCALE_URL, LOGSCALE_TOKEN and LOGSCALE_REPOSITORY.
import { LogClient } from 'logclient';
import winston from 'winston';

// Do not ship this logger's records to the same repository: that creates an endless loop.
const logger = winston.createLogger({ transports: [new winston.transports.Console()] });
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

for await (const event of new LogClient().tail('level=warn or level=error', { signal: stop.signal })) {
  const { level, msg, message, '#service': service, '@timestamp': at } = event;
  logger.log({ level, message: msg ?? message, service, timestamp: new Date(at).toISOString() });
}
