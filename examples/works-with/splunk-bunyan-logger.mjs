import bunyan from 'bunyan';
import splunk from 'splunk-bunyan-logger';

const { LOGSCALE_URL, LOGSCALE_INGEST_TOKEN } = process.env;
const stream = splunk.createStream({
  url: LOGSCALE_URL,
  token: LOGSCALE_INGEST_TOKEN,
  batchInterval: 500,
  maxRetries: 10,
});
stream.on('error', console.error);
export const log = bunyan.createLogger({ name: 'shop', streams: [stream] });

log.info({ orderId: 7 }, 'order placed');
