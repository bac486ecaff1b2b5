// An app that uses the `humio` package. after.mjs is the same app with logclient. It has the same numbered
// sections and prints the same output.
const Humio = require('humio');

const { hostname, port, protocol } = new URL(process.env.LOGSCALE_URL);

// 1. Settings
const humio = new Humio({
  host: hostname,
  port,
  ssl: protocol === 'https:',
  ingestToken: process.env.LOGSCALE_INGEST_TOKEN,
  apiToken: process.env.LOGSCALE_TOKEN,
  repository: process.env.LOGSCALE_REPOSITORY,
  additionalFields: { service: 'orders' },
});

async function main() {
  // 2. Structured events: each call sends its own request, and rejects if the service is down
  await humio.sendJson({ level: 'info', order: { id: 'o-1', total: 41.9 } });
  await humio.sendJson(
    { level: 'error', order: { id: 'o-2' }, reason: 'no stock' },
    { additionalFields: { store: 'oslo' }, timestamp: new Date().toISOString() },
  );

  // 3. Lines of text
  await humio.sendMessage('level=warn stock is low', { store: 'oslo' });

  // 4. Queries
  const result = await humio.run({
    queryString: 'service=orders | count()',
    start: '1h',
    onPartialResult: (_, progress) => progress === 1 && console.log('searched'),
  });
  if (result.status !== 'success') throw new Error(result.error);
  console.log(Humio.count(result), 'events');

  // 5. Events as they are found
  await humio.stream({ queryString: 'service=orders level=error', start: '1h' }, (event) => {
    console.log(event['order.id'], event.reason);
  });

  // 6. Events as they arrive, until you cancel
  const live = await humio.stream({ queryString: 'service=orders level=fatal', isLive: true }, (event) => {
    console.log('live:', event.reason);
    live.cancel();
  });
  await humio.sendJson({ level: 'fatal', reason: 'no more orders' });
}

main();
