// Hands warnings and errors of all services to a pino logger, under their own levels, until Ctrl-C.
// Needs LOGSCALE_URL, LOGSCALE_TOKEN, LOGSCALE_REPOSITORY.
import { LogClient } from 'logclient';
import pino from 'pino';

// Do not ship this logger's records to the same repository: they would come back, again and again.
const logger = pino();
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

for await (const event of new LogClient().tail('level=warn or level=error', { signal: stop.signal })) {
  const { level, msg, message, '#service': service, '@timestamp': at } = event;
  logger[level]({ service, at: new Date(at) }, msg ?? message);
}
