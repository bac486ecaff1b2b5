// Readable logs in the terminal during development, LogScale in production: NODE_ENV=production npm start. Production
// needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN.
import type { PinoTransportOptions } from 'logclient/pino';
import pino from 'pino';

const isProduction = process.env.NODE_ENV === 'production';

const transport = isProduction
  ? pino.transport<PinoTransportOptions>({
      target: 'logclient/pino',
      options: { tags: { service: 'orders' } },
    })
  : pino.transport({ target: 'pino-pretty', options: { ignore: 'pid,hostname' } });

const logger = pino({ level: isProduction ? 'info' : 'debug' }, transport);

logger.debug({ cache: { hits: 3 } }, 'cache read');
logger.info({ order: { id: 'o-17' } }, 'order placed');
