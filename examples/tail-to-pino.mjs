// Logs the warnings and errors of all services with a pino logger, at their original levels. Stops on Ctrl-C.
// Needs LOGSCALE_URL, LOGSCALE_TOKEN and LOGSCALE_REPOSITORY.
import { LogClient } from 'logclient';
import pino from 'pino';

// Do not ship this logger's records to the same repository: that creates an endless loop.
const logger = pino();
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

for await (const event of new LogClient().tail('level=warn or level=error', { signal: stop.signal })) {
  const { level, msg, message, '#service': service, '@timestamp': at } = event;
  logger[level]({ service, at: new Date(at) }, msg ?? message);
}
