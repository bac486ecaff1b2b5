import winston from 'winston';
import SplunkStreamEvent from 'winston-splunk-httplogger';

const { LOGSCALE_URL, LOGSCALE_REPOSITORY, LOGSCALE_INGEST_TOKEN } = process.env;
const transport = new SplunkStreamEvent({
  splunk: {
    url: LOGSCALE_URL,
    token: LOGSCALE_INGEST_TOKEN,
    // The default index is rejected.
    index: LOGSCALE_REPOSITORY,
    batchInterval: 500,
    maxRetries: 10,
  },
});
export const log = winston.createLogger({ transports: [transport] });

log.info('order placed', { orderId: 7 });
