import splunk from 'splunk-logging';

const { LOGSCALE_URL, LOGSCALE_INGEST_TOKEN } = process.env;
export const log = new splunk.Logger({
  url: LOGSCALE_URL,
  token: LOGSCALE_INGEST_TOKEN,
  batchInterval: 500,
  maxRetries: 10,
});

log.send({ message: { message: 'order placed', orderId: 7 }, severity: 'info' });
