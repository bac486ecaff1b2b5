// Serverless functions, for platforms that freeze or stop the process after the response.
// Needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN, which `npx logclient serve` prints.
import { createPinoStream, flush } from 'logclient/pino';
import { LogTransport } from 'logclient/winston';
import pino from 'pino';
import winston from 'winston';

// Create the loggers once: an instance handles many invocations.
const stream = createPinoStream({ tags: { service: 'thumbnails' } });
const pinoLogger = pino(stream);
const transport = new LogTransport({ worker: false, tags: { service: 'mails' } });
const winstonLogger = winston.createLogger({ transports: [transport] });

// After the response, the platform waits for the promise passed to waitUntil.
function withWaitUntil(event, { waitUntil }) {
  pinoLogger.info({ event }, 'thumbnail made');
  waitUntil(flush(pinoLogger));
  return 'answered';
}

// Without waitUntil, await delivery before you return the response.
async function withoutWaitUntil(event) {
  winstonLogger.info('mail sent', { event });
  await transport.flush();
  return 'answered';
}

const promises = [];
const context = { waitUntil: (promise) => promises.push(promise) };
console.log(withWaitUntil({ id: 1 }, context));
console.log(await withoutWaitUntil({ id: 2 }));
await Promise.all(promises);
console.log(`delivered: ${stream.stats.delivered + transport.stats.delivered}`);
