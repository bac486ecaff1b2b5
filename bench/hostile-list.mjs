// Requests designed to block a server: the events to store first, then queries and bodies.
import { gzipSync } from 'node:zlib';

const MIB = 2 ** 20;
const LENGTH = 900_000;
const ROWS = 20_000;
/** The body limit of the local server. */
const BODY_BYTES = 30 * MIB;

const times = (count, textOf) => Array.from({ length: count }, (_, n) => textOf(n));
const chain = (count, step) => times(count, () => step).join(' | ');
/** 80-character strings that differ only in every fifth character, at positions that a sampling hash skips. */
const colliding = (n) =>
  [...String(n).padStart(12, '0')]
    .map((digit) => `xx${digit}xx`)
    .join('')
    .padEnd(80, 'y');

function numbered(n) {
  const host = `web-${n % 40}`;
  return {
    is: 'row',
    n,
    host,
    user: `user-${n % 5000}`,
    twin: colliding(n >> 1),
    text: `${n} did thing ${n % 7}`,
  };
}

/** Long values, each for a separate event; most are close to the maximum event size. */
const LONG_VALUES = {
  letters: 'a'.repeat(LENGTH),
  spaces: `${' '.repeat(100_000)}x`,
  digits: '9'.repeat(LENGTH),
  words: 'lorem ipsum '.repeat(LENGTH / 12),
  commas: 'a,'.repeat(LENGTH / 2),
  pairs: times(90_000, (n) => `k${n}=v`).join(' '),
  json: `${'['.repeat(150)}${'1,'.repeat(LENGTH / 2 - 200)}1${']'.repeat(150)}`,
  members: JSON.stringify(Object.fromEntries(times(60_000, (n) => [`k${n}`, n]))),
  xml: `<r>${times(60_000, (n) => `<a>${n}</a>`).join('')}</r>`,
  opened: '<a>'.repeat(LENGTH / 3),
  url: `http://host/?${times(90_000, (n) => `a${n}=1`).join('&')}`,
  cef: `CEF:0|a|b|1|2|3|4|${times(70_000, (n) => `k${n}=v`).join(' ')}`,
};

/** The events stored before each request, as bodies for structured ingest. */
export function storedBodies(now) {
  const rows = times(ROWS, (n) => ({ timestamp: now - ROWS + n, attributes: numbered(n) }));
  const long = Object.entries(LONG_VALUES).map(([is, rawstring]) => ({
    timestamp: now,
    rawstring,
    attributes: { is },
  }));
  return [rows, ...long.map((event) => [event])].map((events) => JSON.stringify([{ tags: {}, events }]));
}

const nested = (count, open, inner, close) => open.repeat(count) + inner + close.repeat(count);
const upTo = (length, part) => part.repeat(Math.floor(length / part.length));

/** @type {Record<string, string>} */
export const hostileQueries = {
  'nested repetition': '/(\\d|\\w)+$/',
  'overlapping choices': 'is=letters | /^(a|aa)+$/',
  'spaces before the end': 'is=spaces | /\\s+$/',
  'stars of stars': 'is=letters | /(a*)*b/',
  'many wildcards in a row': 'is=letters | @rawstring=/a.*a.*a.*a.*b/',
  'look-ahead': 'is=letters | /(?=.*b)(?=.*c)a/',
  'back-reference': 'is=letters | /(a+)\\1b/',
  'a choice of 5,000 words': `/${times(5_000, (n) => `word${n}x`).join('|')}/`,
  'a glob of many stars': `is=letters | @rawstring="*${'a*'.repeat(200)}b*"`,
  'an event for each match': 'is=letters | regex("(?<x>a)", repeat=true, limit=10000)',
  'replacement of nothing': 'is=letters | replace("", with="xx")',
  'a long replacement': `is=letters | replace("a", with="${'b'.repeat(50_000)}")`,
  'Base64 of Base64': `is=letters | x := base64Encode(@rawstring) | ${chain(80, 'x := base64Encode(x)')}`,
  'wide format': `is=letters | x := format("${'%10000s'.repeat(8000)}", field=[is])`,
  'a field many times': `concat([${times(100, () => '@rawstring').join(', ')}])`,
  '300 changes of case': `is=letters | ${chain(150, 'x := upper(@rawstring) | x := lower(x)')}`,
  '300 replacements': `is=letters | ${chain(300, 'replace("a", with="a")')}`,
  '300 replacements of a field not used': `is=letters | ${times(300, (n) => `x${n} := replace("a", with="b")`).join(' | ')}`,
  '300 digests': `is=letters | ${times(300, (n) => `x${n} := crypto:sha256(@rawstring)`).join(' | ')}`,
  '300 lengths': `is=letters | ${times(300, (n) => `x${n} := text:length(@rawstring)`).join(' | ')}`,
  '300 regular expressions': `is=letters | ${chain(300, '!/[b-z]+$/')}`,
  '300 encodings for URLs': `is=digits | ${chain(150, 'x := urlEncode(@rawstring) | y := urlDecode(x)')}`,
  '100 times JSON': `is=json | ${chain(100, 'parseJson()')}`,
  '100 times JSON of many members': `is=members | ${times(100, (n) => `parseJson(prefix=p${n})`).join(' | ')}`,
  '100 times XML': `is=xml | ${chain(100, 'parseXml()')}`,
  'XML that is never closed': 'is=opened | parseXml()',
  '100 times key and value': `is=pairs | ${chain(100, 'kvParse()')}`,
  '100 times CEF': `is=cef | ${chain(100, 'parseCEF()')}`,
  '50 times a URL': `is=url | ${chain(50, 'parseUrl(@rawstring)')}`,
  '50 times CSV': `is=commas | ${chain(50, 'parseCsv(columns=[a, b])')}`,
  '50 times a timestamp': `is=digits | ${chain(50, 'findTimestamp()')}`,
  'an edit distance':
    'is=letters | text:editDistance(target=@rawstring, reference=text:substring(@rawstring, begin=10), maxDistance=1000)',
  'a string of many parts':
    'is=commas | splitString(by=",") | array:sort("_splitstring[]") | array:dedup("_splitstring[]")',
  'parts, split into events': 'is=commas | splitString(by=",") | split(_splitstring)',
  'many fields as JSON': 'is=members | parseJson() | writeJson() | json:prettyPrint()',
  'entropy, hashes and graphemes':
    'is=words | shannonEntropy(@rawstring) | tokenHash(@rawstring) | x := text:substring(@rawstring, begin=-10)',
  'groups of all values': 'groupBy([n, host, text, user], limit=max) | sort(n, limit=max)',
  'groups of colliding values': 'groupBy(twin, limit=max)',
  'groups in groups': 'groupBy(host, function=groupBy(user, function=groupBy(n, limit=max), limit=max))',
  'a collection of everything': 'groupBy(host, function=collect([text, @rawstring, n], limit=200000))',
  '60 aggregates for each group': `groupBy(n, limit=max, function=[${times(60, (n) => `percentile(n, as=p${n})`).join(', ')}])`,
  'buckets of a millisecond': 'bucket(span=1ms, function=[count(), collect(n)], limit=500)',
  'a chart of many series': 'timeChart(n, span=1s, limit=500, function=[avg(n), max(n)])',
  'a sort of everything': 'sort([text, twin, n], order=[desc, asc, desc], limit=200000)',
  'a transposed table': 'table([n, text, host], limit=20000) | transpose(limit=1000)',
  'statistics of all fields': 'fieldstats(limit=200)',
  'sliding windows': 'head(20000) | slidingWindow([percentile(n), collect(text, limit=10000)], events=10000)',
  'sliding windows of time': 'head(20000) | slidingTimeWindow([percentile(n), collect(user)], span=10s)',
  sessions: 'groupBy(host, function=session([collect(text, limit=10000), count()], maxpause=1m))',
  'neighbors and sums': 'head(20000) | accumulate(collect(text, limit=10000)) | neighbor(n, distance=100)',
  'a join of all with all': 'join({is=row}, field=is, include=[n, text], max=200000)',
  'joins in joins': nested(20, 'is=row | join({', 'is=row', '}, field=n, include=[text])'),
  'a self-join of 31 filters': `selfJoinFilter(field=is, where=[${times(31, (n) => `{text=/${n} did.*${n}$/}`).join(', ')}])`,
  '10 tables': `${times(10, (n) => `defineTable(query={is=row}, include=*, name=t${n})`).join(' | ')} | match(t0, field=n)`,
  correlation: 'correlate(a: {is=row} include: [host], b: {is=row | host<=>a.host} include: [n], within=1h)',
  'deep parentheses': nested(30_000, '(', 'a=1', ')'),
  'deep cases': nested(2_000, 'case { ', 'a=1', ' }'),
  '10,000 steps': chain(10_000, 'a=1'),
  '8,000 choices': times(8_000, (n) => `a=${n}`).join(' or '),
  'a sum of 20,000 numbers': `x := ${times(20_000, () => '1').join('+')}`,
  '5,000 patterns': `in(text, values=[${times(5_000, (n) => `"*${n}*x"`).join(', ')}])`,
};

const json = 'application/json';
const INGEST = '/api/v1/ingest';
const GRAPHQL = '/graphql';
const structured = (events) => JSON.stringify([{ events }]);
const unique = () => times(20_000, (n) => ({ timestamp: 1, attributes: { [`field${n}`]: n } }));
const upload = (text) =>
  `--x\r\ncontent-disposition: form-data; name="file"; filename="f.csv"\r\n\r\n${text}\r\n--x--\r\n`;

/** @type {Record<string, {path: string, type?: string, encoding?: string, asUser?: boolean, body: () => string | Buffer}>} */
export const hostileBodies = {
  'a gzip bomb': { path: `${INGEST}/raw`, encoding: 'gzip', body: () => gzipSync(Buffer.alloc(512 * MIB)) },
  'gzip of gzip': {
    path: `${INGEST}/raw`,
    encoding: 'gzip',
    body: () => gzipSync(gzipSync(Buffer.alloc(31 * MIB))),
  },
  'brackets without an end': {
    path: `${INGEST}/humio-structured`,
    type: json,
    body: () => '['.repeat(BODY_BYTES),
  },
  'one deep event': {
    path: `${INGEST}/humio-structured`,
    type: json,
    body: () => `[{"events":[{"timestamp":1,"attributes":${nested(MIB, '{"a":', '1', '}')}}]}]`,
  },
  '5 million empty objects': {
    path: `${INGEST}/json`,
    type: json,
    body: () => `[${'{},'.repeat(5_000_000)}{}]`,
  },
  'an event of 1,000,000 fields': {
    path: `${INGEST}/humio-structured`,
    type: json,
    body: () =>
      structured([{ timestamp: 1, attributes: Object.fromEntries(times(1_000_000, (n) => [`k${n}`, n])) }]),
  },
  '300,000 small events': {
    path: `${INGEST}/humio-structured`,
    type: json,
    body: () => structured(times(300_000, (n) => ({ timestamp: n, attributes: { a: n } }))),
  },
  '20,000 events with a field of their own': {
    path: `${INGEST}/humio-structured`,
    type: json,
    body: () => structured(unique()),
  },
  'numbers of many digits': {
    path: `${INGEST}/humio-structured`,
    type: json,
    body: () =>
      structured([{ timestamp: 1, attributes: { a: times(300_000, () => 1e21) } }]).replaceAll(
        '1e+21',
        '1'.repeat(60),
      ),
  },
  'a string of escapes': {
    path: `${INGEST}/humio-structured`,
    type: json,
    body: () => structured([{ timestamp: 1, rawstring: '\n'.repeat(14 * MIB) }]),
  },
  'a million empty messages': {
    path: `${INGEST}/humio-unstructured`,
    type: json,
    body: () => JSON.stringify([{ messages: times(1_000_000, () => '') }]),
  },
  'messages for a parser': {
    path: `${INGEST}/humio-unstructured`,
    type: json,
    body: () =>
      JSON.stringify([{ type: 'kv', messages: times(100, () => LONG_VALUES.pairs.slice(0, 250_000)) }]),
  },
  'messages of JSON': {
    path: `${INGEST}/humio-unstructured`,
    type: json,
    body: () => JSON.stringify([{ type: 'json', messages: times(25, () => LONG_VALUES.members) }]),
  },
  'one line of 30 MiB': { path: `${INGEST}/raw`, body: () => 'a'.repeat(BODY_BYTES) },
  '15 million newlines': { path: `${INGEST}/raw`, body: () => '\n'.repeat(BODY_BYTES / 2) },
  'a bulk of empty events': {
    path: `${INGEST}/elastic-bulk`,
    type: 'application/x-ndjson',
    body: () => upTo(BODY_BYTES, '{"create":{}}\n{}\n'),
  },
  'a bulk of one line': {
    path: `${INGEST}/elastic-bulk`,
    body: () => `{"create":{"a":"${'a'.repeat(BODY_BYTES)}"}}\n{}\n`,
  },
  'concatenated HEC events': {
    path: `${INGEST}/hec`,
    type: json,
    body: () => upTo(BODY_BYTES, '{"event":"a"}'),
  },
  'HEC brackets': { path: `${INGEST}/hec`, type: json, body: () => '{"event":'.repeat(3 * MIB) },
  'GraphQL aliases': {
    path: GRAPHQL,
    type: json,
    asUser: true,
    body: () =>
      JSON.stringify({ query: `{ ${times(1_900, (n) => `a${n}: searchDomains { name }`).join(' ')} }` }),
  },
  'deep GraphQL': {
    path: GRAPHQL,
    type: json,
    asUser: true,
    body: () => JSON.stringify({ query: nested(20_000, '{a', '', '}') }),
  },
  'a long GraphQL document': {
    path: GRAPHQL,
    type: json,
    asUser: true,
    body: () => JSON.stringify({ query: `{ ${'a '.repeat(10 * MIB)} }` }),
  },
  'a large lookup file': {
    path: '/api/v1/repositories/sandbox/files',
    type: 'multipart/form-data; boundary=x',
    asUser: true,
    body: () => upload(`k,v\n${times(1_500_000, (n) => `${n},${n % 10}`).join('\n')}`),
  },
  'a lookup file of quotation marks': {
    path: '/api/v1/repositories/sandbox/files',
    type: 'multipart/form-data; boundary=x',
    asUser: true,
    body: () => upload(upTo(BODY_BYTES, '"a""b",')),
  },
};
