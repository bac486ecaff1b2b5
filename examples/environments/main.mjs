// Logs to wherever the environment says: `npm start` shows the records, `npm run start:staging` ships them with what
// staging.env says, of which example.env is a template.
import { logger } from './logger.mjs';

logger.debug({ cache: { hits: 3 } }, 'cache read');
logger.info({ order: { id: 'o-17' } }, 'order placed');
logger.error(new Error('no stock'), 'order refused');
