import pino from 'pino';
import pinoElasticsearch from 'pino-elasticsearch';

const { LOGSCALE_URL, LOGSCALE_INGEST_TOKEN } = process.env;
export const stream = pinoElasticsearch({
  node: `${LOGSCALE_URL}/api/v1/ingest/elastic-bulk`,
  auth: { username: LOGSCALE_INGEST_TOKEN, password: 'unused' },
  index: 'app',
  flushBytes: 1000,
});
stream.on('error', console.error);
stream.on('insertError', console.error);
export const log = pino(stream);

log.info({ orderId: 7 }, 'order placed');
