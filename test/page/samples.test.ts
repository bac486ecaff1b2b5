import { expect, it, onTestFinished } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { SAMPLES, sampleEvents } from '../../src/page/play/samples.ts';
import { startLocalServer } from '../../src/server/index.ts';

const QUERIES = SAMPLES.flatMap((sample) => sample.queries.map((query) => ({ sample, query })));

it.each(QUERIES)('the query of a sample finds rows with its fields: $query', async ({ sample, query }) => {
  const server = await startLocalServer();
  onTestFinished(() => server.close());
  const client = new LogClient({ baseUrl: server.url, repository: 'sandbox', userToken: server.userToken });
  const now = Date.now();
  const begin = now - 3_600_000;
  await client.ingestJsonData(sampleEvents(sample, begin, begin, now));
  const rows = await client.query(query, { start: '2h' });
  const [, names = ''] =
    /(?:groupBy|top|timeChart|select)\(\[?([#@\w, ]*?)(?:(?:, |^|(?<=\())\w+=|[\])])/.exec(query)!;
  const fields = names.split(', ').filter((name) => name !== '');
  expect(rows.length).toBeGreaterThan(0);
  for (const name of fields) expect(rows.filter((row) => name in row)).not.toEqual([]);
});
