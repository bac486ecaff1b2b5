// Starts a local server, ingests events, queries them, and stops the server.
import { LogClient, LogIngestClient } from 'logclient';
import { startLocalServer } from 'logclient/local-server';

const server = await startLocalServer();
const ingest = new LogIngestClient({ baseUrl: server.url, ingestToken: server.ingestToken });
const client = new LogClient({
  baseUrl: server.url,
  repository: server.repository,
  userToken: server.userToken,
});

await ingest.ingestJsonData([
  {
    tags: { host: 'web-7' },
    events: [
      {
        timestamp: Date.now(),
        attributes: { level: 'warn', http: { status: 503 } },
        rawstring: 'upstream failed',
      },
      { timestamp: Date.now(), attributes: { level: 'info', http: { status: 200 } } },
    ],
  },
]);
await ingest.ingestMessages(['user=bob action=login', 'user=eve action=logout'], { tags: { host: 'web-8' } });

console.log(await client.query('http.status>=500 or user=* | groupBy(#host)'));
await server.close();
