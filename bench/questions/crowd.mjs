// Do very many heavy queries at once all finish, and does the local server stay responsive meanwhile?
import { withPrograms } from '../program.mjs';
import { fixed, markdown, megabytes } from '../table.mjs';

const HEAP_MB = 1536;
const QUERIES = [
  'groupBy(n, limit=max) | sort(n, limit=max)',
  'groupBy(text, limit=max, function=[count(), avg(n)])',
  'groupBy(user, function=collect(text, limit=200))',
  'sort([text, n], limit=200000)',
  'splitString(text, by=" ") | count(_splitstring, distinct=true)',
  'count(text, distinct=true)',
];

export const crowd = {
  name: 'crowd',
  title: 'very many heavy queries at once',
  async run(settings) {
    const queries = settings.amount({ full: 200, short: 200, tiny: 12 });
    const events = settings.records ?? settings.amount({ full: 100_000, short: 100_000, tiny: 2_000 });
    const execArgv = [`--max-old-space-size=${HEAP_MB}`, ...settings.execArgv];
    const rows = [];
    for (const kind of ['job', 'stream']) {
      rows.push(
        await withPrograms([['server', execArgv], ['pinging'], ['crowd'], ['crowd']], (...programs) =>
          measure(programs, { kind, queries, events }),
        ),
      );
    }
    const header = [
      'queries',
      'finished',
      'failed',
      's',
      'longest /status, ms',
      'longest ingest, ms',
      'peak RSS, MB',
    ];
    return markdown(header, rows);
  },
};

async function measure([server, pinging, client, ingesting], { kind, queries, events }) {
  const address = await server.ask('open', { queryTimeoutMs: 600_000 });
  const { url } = address;
  await client.ask('fill', { ...address, events });
  await Promise.all([pinging.ask('start', { url }), ingesting.ask('ingest', address)]);
  const start = performance.now();
  const texts = Array.from({ length: queries }, (_, n) => QUERIES[n % QUERIES.length]);
  const failures = await client.ask('run', { ...address, kind, queries: texts });
  const seconds = (performance.now() - start) / 1000;
  const [{ longestMs }, ingestMs] = await Promise.all([pinging.ask('stop'), ingesting.ask('stop')]);
  const { peakRss } = await server.ask('end');
  if (failures.length > 0) throw new Error(`${failures.length} of ${queries} queries failed: ${failures[0]}`);
  return [
    `${queries} × ${kind}`,
    queries - failures.length,
    failures.length,
    fixed(seconds, 0),
    fixed(longestMs, 0),
    fixed(ingestMs, 0),
    megabytes(peakRss),
  ];
}
