import winston from 'winston';
import { ElasticsearchTransport } from 'winston-elasticsearch';

const { LOGSCALE_URL, LOGSCALE_INGEST_TOKEN } = process.env;
export const transport = new ElasticsearchTransport({
  index: 'app',
  flushInterval: 500,
  retryLimit: 10,
  clientOpts: {
    node: `${LOGSCALE_URL}/api/v1/ingest/elastic-bulk`,
    auth: { username: LOGSCALE_INGEST_TOKEN, password: 'unused' },
  },
});
transport.on('warning', console.error);
export const log = winston.createLogger({ transports: [transport] });

log.info('order placed', { orderId: 7 });
