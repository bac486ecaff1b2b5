// How much memory does a query use, compared with its limit?
import { withPrograms } from '../program.mjs';
import { firstLine, fixed, markdown, megabytes } from '../table.mjs';

/** Small, so that repeated garbage collections take little time. */
const MAX_QUERY_BYTES = 16 * 2 ** 20;
/** The most memory that a query may use, as a multiple of its limit. */
const MAX_RATIO = 2;
const EVENTS = 50_000;
const EVENTS_PER_BODY = 10_000;
const TINY_QUERIES = 2;

const QUERIES = [
  'groupBy(n, limit=max)',
  'groupBy([n, host, user], limit=max)',
  'groupBy(n, limit=max, function=[count(), avg(n), max(n), sum(n)])',
  'groupBy(n, limit=max, function=percentile(n))',
  'groupBy(n, limit=max, function=collect(text))',
  'groupBy(n, limit=max, function=count(user, distinct=true))',
  'groupBy(n, limit=max, function=selectLast([text, user]))',
  'groupBy(n, limit=max, function=tail(1))',
  'groupBy(n, limit=max, function={ sort(n) | head(1) })',
  'groupBy(n, limit=max, function=stdDev(n))',
  'groupBy(n, limit=max, function=session(count(), maxpause=1m))',
  'groupBy(n, limit=max, function=groupBy(host))',
  'groupBy(host, function=collect([text, n], limit=200000))',
  'groupBy(host, function=series([text, n], memlimit=1GB))',
  'collect(text, limit=200000)',
  'count(text, distinct=true)',
  'top(text, limit=20000)',
  'sort(n, limit=200000)',
  'head(200000)',
  'tail(200000)',
  'table([n, text, host, user], limit=200000)',
  'tail(200000) | transpose(limit=1000)',
  'tail(200000) | neighbor(n, prefix=p)',
  'tail(200000) | accumulate(count())',
  'tail(200000) | slidingWindow(count(), events=100)',
  'tail(200000) | partition(collect(n), condition=test(n < 0))',
  'session([collect(text, limit=200000), count()], maxpause=1ms)',
  'join({*}, field=n, include=[text, host], limit=200000)',
  'join({groupBy([n, text], limit=max)}, field=n, include=text, limit=200000)',
  'defineTable(query={*}, include=*, name=t) | match(t, field=n)',
  'defineTable(query={groupBy(n, limit=max)}, include=*, name=t) | match(t, field=n) | groupBy(n, limit=max)',
  'selfJoin(n, where=[{host=*}, {user=*}], collect=[text])',
  'selfJoinFilter(n, where=[{host=*}, {user=*}])',
  'correlate(a: {n < 25000}, b: {n >= 25000 | user <=> a.user}, within=1d)',
  'timeChart(host, span=1s, function=[percentile(n), collect(text)], limit=500)',
  'bucket(span=100ms, function=[collect(text, limit=200000), avg(n)])',
  'bucket(field=n, span=1s, limit=500)',
  'sankey(source=n, target=text)',
  'fieldstats(limit=200)',
  '[groupBy(n, limit=max), groupBy(text, limit=max)]',
  'splitString(text, by=" ") | split(_splitstring) | groupBy([n, _index], limit=max)',
  'groupBy(text, limit=max) | sort(text, limit=200000) | groupBy(_count, function=collect(text, limit=200000))',
];

export const queryMemory = {
  name: 'query-memory',
  title: 'the memory that a query uses, beside its limit',
  async run(settings) {
    const named = QUERIES.filter((query) => settings.only === undefined || query.includes(settings.only));
    const queries = named.slice(
      0,
      settings.amount({ full: named.length, short: named.length, tiny: TINY_QUERIES }),
    );
    const events = settings.records ?? settings.amount({ full: EVENTS, short: EVENTS, tiny: 2_000 });
    const program = [['server', ['--expose-gc', ...settings.execArgv]]];
    return withPrograms(program, async (server) => {
      const address = await server.ask('open', { maxQueryBytes: MAX_QUERY_BYTES });
      await fill(address, events);
      const rows = [];
      for (const query of queries) rows.push(await measure(server, address, query));
      return table(rows);
    });
  },
};

async function fill({ url, ingestToken }, events) {
  const end = Date.now();
  for (let from = 0; from < events; from += EVENTS_PER_BODY) {
    const batch = Array.from({ length: Math.min(EVENTS_PER_BODY, events - from) }, (_, place) => {
      const n = from + place;
      const text = `${n} did some thing that takes about two hundred characters to describe ${'and more '.repeat(14)}`;
      return {
        timestamp: end - events + n,
        attributes: { n, host: `web-${n % 40}`, user: `user-${n % 5000}`, text },
      };
    });
    await post(`${url}/api/v1/ingest/humio-structured`, ingestToken, [{ events: batch }]);
  }
}

async function measure(server, { url, userToken }, query) {
  await server.ask('watchMemory');
  const body = { queryString: query, start: '1h' };
  const outcome = await post(`${url}/api/v1/repositories/sandbox/query`, userToken, body).catch(String);
  return { query, bytes: await server.ask('peakMemory'), outcome };
}

async function post(url, token, content) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(content) });
  let text = '';
  for await (const bytes of response.body) text = Buffer.from(bytes).toString();
  return firstLine(response.ok ? 'rows' : text.slice(-120));
}

function table(rows) {
  const cells = rows.map(({ query, bytes, outcome }) => {
    const ratio = bytes / MAX_QUERY_BYTES;
    const mark = ratio > MAX_RATIO ? ' **too much**' : '';
    return [`\`${query.replaceAll('|', '\\|')}\``, megabytes(bytes), `${fixed(ratio, 2)}x${mark}`, outcome];
  });
  const header = ['query', 'peak growth, MB', 'of the limit', 'outcome'];
  return `The limit is ${megabytes(MAX_QUERY_BYTES)} MB.\n\n${markdown(header, cells)}`;
}
