// A small worker that logs with winston. Only the transport is needed to ship its records.
// Needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN.
import { setTimeout as pause } from 'node:timers/promises';
import { LogTransport } from 'logclient/winston';
import winston from 'winston';

const logger = winston.createLogger({ transports: [new LogTransport({ tags: { service: 'billing' } })] });

const invoices = Number(process.env.INVOICES ?? 60);

for (let i = 0; i < invoices; i++) {
  const invoice = logger.child({
    invoice: `inv-${2000 + i}`,
    customer: { id: i % 7, plan: i % 2 ? 'pro' : 'free' },
  });
  const ms = 40 + ((i * 53) % 200);
  if (i % 25 === 24) {
    invoice.error('invoice not sent', { ms, cause: new Error('mailbox is full') });
  } else if (i % 10 === 9) {
    invoice.warn('card expires soon', { ms });
  } else {
    invoice.info('invoice sent', { ms });
  }
  await pause(40);
}
