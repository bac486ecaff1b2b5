// The same app as before.cjs, with the same numbered sections. Needs LOGSCALE_URL, LOGSCALE_INGEST_TOKEN, LOGSCALE_TOKEN
// and LOGSCALE_REPOSITORY.
import { Ingester, LogClient, LogIngestClient } from 'logclient';

// 1. Settings come from the environment, or from options: { baseUrl, ingestToken }, { baseUrl, userToken, repository }
const ingester = new Ingester();
const ingest = new LogIngestClient();
const client = new LogClient();
const additionalFields = { service: 'orders' };

// 2. Structured events: sent in batches in the background, and retried while the service is down
ingester.add({
  timestamp: Date.now(),
  attributes: { level: 'info', order: { id: 'o-1', total: 41.9 }, ...additionalFields },
});
ingester.add({
  timestamp: new Date().toISOString(),
  attributes: {
    level: 'error',
    order: { id: 'o-2' },
    reason: 'no stock',
    store: 'oslo',
    ...additionalFields,
  },
});
await ingester.flush();

// 3. Lines of text
await ingest.ingestMessages(['level=warn stock is low'], { fields: { store: 'oslo', ...additionalFields } });

// 4. Queries; an invalid query rejects, and the message shows the position
const [row] = await client.query('service=orders | count()', {
  start: '1h',
  onProgress: ({ progress }) => progress === 1 && console.log('searched'),
});
console.log(row._count, 'events');

// 5. Events as the service finds them
for await (const event of client.streamingQuery('service=orders level=error', { start: '1h' })) {
  console.log(event['order.id'], event.reason);
}

// 6. Events as they arrive, until you leave the loop; reconnects automatically
ingester.add({ attributes: { level: 'fatal', reason: 'no more orders', ...additionalFields } });
for await (const event of client.tail('service=orders level=fatal', { since: '1 minute' })) {
  console.log('live:', event.reason);
  break;
}
