import { Client } from '@elastic/elasticsearch';

const { LOGSCALE_URL, LOGSCALE_INGEST_TOKEN } = process.env;
export const client = new Client({
  node: `${LOGSCALE_URL}/api/v1/ingest/elastic-bulk`,
  auth: { username: LOGSCALE_INGEST_TOKEN, password: 'unused' },
  maxRetries: 10,
});

export const ship = (datasource) =>
  client.helpers.bulk({
    datasource,
    flushBytes: 10_000,
    retries: 10,
    onDocument: () => ({ create: { _index: 'app' } }),
  });

await ship([{ '@timestamp': new Date().toISOString(), message: 'order placed', orderId: 7 }]);
