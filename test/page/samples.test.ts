import { expect, it, onTestFinished } from 'vitest';
import { LogClient, type StructuredEvent } from '../../src/index.ts';
import { SAMPLES } from '../../src/page/play/samples.ts';
import { startLocalServer } from '../../src/server/index.ts';

const QUERIES = SAMPLES.flatMap((sample) => sample.queries.map((query) => ({ sample, query })));

it.each(QUERIES)('the query of a sample finds rows with its fields: $query', async ({ sample, query }) => {
  const server = await startLocalServer();
  onTestFinished(() => server.close());
  const client = new LogClient({ baseUrl: server.url, repository: 'sandbox', userToken: server.userToken });
  const now = Date.now();
  for (const { tags, events } of sample.events(now - 3_600_000, now, now)) {
    await client.ingestJsonData([{ tags, events: events as StructuredEvent[] }]);
  }
  const rows = await client.query(query, { start: '2h' });
  const [, names = ''] =
    /(?:groupBy|top|timeChart|select)\(\[?([#@\w, ]*?)(?:(?:, |^|(?<=\())\w+=|[\])])/.exec(query)!;
  const fields = names.split(', ').filter((name) => name !== '');
  expect(rows.length).toBeGreaterThan(0);
  for (const name of fields) expect(rows.filter((row) => name in row)).not.toEqual([]);
});
