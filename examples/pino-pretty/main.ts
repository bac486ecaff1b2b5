// Readable logs in the terminal during development: npx logclient dev npm start. Production (NODE_ENV=production npm start)
// prints nothing, and needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN.
import pino from 'pino';

const isProduction = process.env.NODE_ENV === 'production';
const level = isProduction ? 'info' : 'debug';

const targets: pino.TransportTargetOptions[] = [
  { target: 'logclient/pino', level, options: { tags: { service: 'orders' } } },
];
if (!isProduction) targets.push({ target: 'pino-pretty', level, options: { ignore: 'pid,hostname' } });

const logger = pino({ level }, pino.transport({ targets }));

logger.debug({ cache: { hits: 3 } }, 'cache read');
logger.info({ order: { id: 'o-17' } }, 'order placed');
