// Functions on a platform that freezes or ends the process once it has the answer. Run `npx logclient serve` and set what
// it prints: LOGSCALE_URL and LOGSCALE_INGEST_TOKEN.
import { createPinoStream, flush } from 'logclient/pino';
import { LogTransport } from 'logclient/winston';
import pino from 'pino';
import winston from 'winston';

// Made once; an instance handles many invocations.
const stream = createPinoStream({ tags: { service: 'thumbnails' } });
const pinoLogger = pino(stream);
const transport = new LogTransport({ worker: false, tags: { service: 'mails' } });
const winstonLogger = winston.createLogger({ transports: [transport] });

// The platform waits for what waitUntil is given, after the answer.
function withWaitUntil(event, { waitUntil }) {
  pinoLogger.info({ event }, 'thumbnail made');
  waitUntil(flush(pinoLogger));
  return 'answered';
}

// Without waitUntil, await the delivery before the answer.
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
