// `npm start` prints records. `npm run start:staging` also sends them, with the settings from staging.env; example.env is a
// template.
import { logger } from './logger.ts';

logger.debug({ cache: { hits: 3 } }, 'cache read');
logger.info({ order: { id: 'o-17' } }, 'order placed');
logger.error(new Error('no stock'), 'order failed');
