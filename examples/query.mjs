// Runs queries and prints their rows. Needs LOGSCALE_URL, LOGSCALE_TOKEN and LOGSCALE_REPOSITORY.
import { LogClient } from 'logclient';
import { table } from './print.mjs';

const client = new LogClient();

// Get all rows at once.
table(await client.query('level=error | groupBy(#service)', { start: '1h' }));

// Create a query job, poll it until it is done, then delete it.
const job = await client.createQueryJob('level=error', { start: '1h' });
try {
  for await (const page of job.pollUntilDone()) {
    console.log(`${page.events.length} events, ${page.metadata.processedEvents} read`);
  }
} finally {
  await job.delete();
}

// Stream the rows, for results of any size.
for await (const event of client.streamingQuery('level=error', { start: '1h' })) {
  console.log(event['@timestamp'], event['@rawstring']);
}
