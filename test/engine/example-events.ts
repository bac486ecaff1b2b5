import type { AutonomousSystem, Fields, Indicator, IpLocation } from '../../src/engine/index.ts';

/** The events that the examples of functions run on. Default: `SAMPLE_EVENTS`. */
export const EXAMPLE_EVENTS: Readonly<Record<string, readonly Fields[]>> = {
  test: [
    { job: 'export', ms: '420', timeoutMs: '300' },
    { job: 'import', ms: '95', timeoutMs: '300' },
  ],
  'text:endsWith': [{ file: 'setup.exe' }, { file: 'readme.txt' }],
  counterAsRate: [
    { '@timestamp': '1772442000000', host: 'web-1', requests: '1000' },
    { '@timestamp': '1772442010000', host: 'web-1', requests: '1250' },
    { '@timestamp': '1772442020000', host: 'web-1', requests: '1600' },
  ],
  linReg: [
    { items: '1', ms: '20' },
    { items: '2', ms: '30' },
    { items: '4', ms: '52' },
  ],
  series: [
    { '@timestamp': '1772442000000', user: 'ann', page: '/products' },
    { '@timestamp': '1772442030000', user: 'ann', page: '/cart' },
    { '@timestamp': '1772445600000', user: 'ann', page: '/orders' },
  ],
  session: [
    { '@timestamp': '1772442000000', user: 'ann', page: '/products' },
    { '@timestamp': '1772442030000', user: 'ann', page: '/cart' },
    { '@timestamp': '1772445600000', user: 'ann', page: '/orders' },
  ],
  worldMap: [
    { user: 'ann', lat: '55.68', lon: '12.57' },
    { user: 'bob', lat: '55.60', lon: '12.50' },
    { user: 'cleo', lat: '48.86', lon: '2.35' },
  ],
  selfJoinFilter: [
    { '@timestamp': '1772442000000', '@id': '1', action: 'failed', user: 'ann', ip: '192.0.2.10' },
    { '@timestamp': '1772442004000', '@id': '2', action: 'login', user: 'ann', ip: '192.0.2.10' },
    { '@timestamp': '1772442009000', '@id': '3', action: 'login', user: 'bob', ip: '192.0.2.11' },
  ],
  selfJoin: [
    { '@timestamp': '1772442000000', '@id': '1', action: 'failed', user: 'ann', ip: '192.0.2.10' },
    { '@timestamp': '1772442004000', '@id': '2', action: 'login', user: 'ann', ip: '192.0.2.10' },
    { '@timestamp': '1772442009000', '@id': '3', action: 'login', user: 'bob', ip: '192.0.2.11' },
  ],
  correlate: [
    { '@timestamp': '1772442000000', '@id': '1', action: 'failed', user: 'ann', ip: '192.0.2.10' },
    { '@timestamp': '1772442004000', '@id': '2', action: 'login', user: 'ann', ip: '192.0.2.10' },
    { '@timestamp': '1772442009000', '@id': '3', action: 'login', user: 'bob', ip: '192.0.2.11' },
  ],
  coalesce: [
    { job: 'export', 'err.message': 'disk full' },
    { job: 'import', 'cause.message': 'connection reset' },
    { job: 'report' },
  ],
  getField: [{ measure: 'cpu', cpu: '87', memory: '41' }],
  setField: [{ measure: 'cpu', reading: '87' }],
  split: [
    {
      order: '17',
      'items[0].sku': 'A1',
      'items[0].price': '9.50',
      'items[1].sku': 'B2',
      'items[1].price': '20',
    },
  ],
  createEvents: [],
  copyEvent: [{ '#type': 'json', user: 'ann', action: 'login' }],
  lower: [{ user: 'Ann' }, { user: 'ANN' }, { user: 'bob' }],
  lowercase: [{ User: 'Ann', Host: 'WEB-1' }],
  'text:length': [{ name: 'Zoë 👋🏽' }],
  'text:substring': [{ phone: '+4512345678' }],
  'text:positionOf': [{ email: 'ann@example.com' }],
  'text:trim': [{ name: '  ann ' }],
  'text:editDistance': [{ domain: 'exanple.com' }],
  'text:editDistanceAsArray': [{ domain: 'exanple.com' }],
  shannonEntropy: [{ domain: 'example.com' }, { domain: 'x7f3qk9zt2.com' }],
  stripAnsiCodes: [{ msg: '\u001b[31mfailed\u001b[0m in 3 s' }],
  'unit:convert': [{ file: 'app.log', size: '5300 kB' }],
  'math:abs': [{ delta: '-3.6' }],
  'math:ceil': [{ delta: '-3.6' }],
  'math:floor': [{ delta: '-3.6' }],
  'math:mod': [{ userId: '1234567' }],
  'math:pow': [{ base: '2', attempt: '5' }],
  'math:sqrt': [{ variance: '20.25' }],
  'math:exp': [{ logarithm: '2' }],
  'math:expm1': [{ rate: '0.05' }],
  'math:log': [{ size: '1000' }],
  'math:log1p': [{ growth: '0.05' }],
  'math:log2': [{ size: '1000' }],
  'math:log10': [{ size: '1000' }],
  'math:deg2rad': [{ degrees: '90' }],
  'math:rad2deg': [{ radians: '1.5' }],
  'math:sin': [{ radians: '0.5' }],
  'math:cos': [{ radians: '0.5' }],
  'math:tan': [{ radians: '0.5' }],
  'math:arcsin': [{ ratio: '0.5' }],
  'math:arccos': [{ ratio: '0.5' }],
  'math:arctan': [{ ratio: '0.5' }],
  'math:arctan2': [{ dx: '1', dy: '1' }],
  'math:sinh': [{ ratio: '0.5' }],
  'math:cosh': [{ ratio: '0.5' }],
  'math:tanh': [{ ratio: '0.5' }],
  'math:spherical2cartesian': [{ azimuth: '30', polar: '60' }],
  parseTimestamp: [{ when: '2026-03-02 09:00:05' }],
  findTimestamp: [{ '@rawstring': 'backup of 2026-03-02T09:00:05Z done' }],
  formatDuration: [{ host: 'web-1', uptime: '93784' }],
  'time:year': [
    { '@timestamp': '1772442005250', release: '1.4.0' },
    { '@timestamp': '1786750559999', release: '1.5.0' },
  ],
  'time:month': [
    { '@timestamp': '1772442005250', release: '1.4.0' },
    { '@timestamp': '1786750559999', release: '1.5.0' },
  ],
  'time:monthName': [
    { '@timestamp': '1772442005250', release: '1.4.0' },
    { '@timestamp': '1786750559999', release: '1.5.0' },
  ],
  'time:weekOfYear': [
    { '@timestamp': '1772442005250', release: '1.4.0' },
    { '@timestamp': '1786750559999', release: '1.5.0' },
  ],
  'time:dayOfYear': [
    { '@timestamp': '1772442005250', release: '1.4.0' },
    { '@timestamp': '1786750559999', release: '1.5.0' },
  ],
  'time:dayOfMonth': [
    { '@timestamp': '1772442005250', release: '1.4.0' },
    { '@timestamp': '1786750559999', release: '1.5.0' },
  ],
  'time:dayOfWeek': [
    { '@timestamp': '1772442005250', release: '1.4.0' },
    { '@timestamp': '1786750559999', release: '1.5.0' },
  ],
  'time:dayOfWeekName': [
    { '@timestamp': '1772442005250', release: '1.4.0' },
    { '@timestamp': '1786750559999', release: '1.5.0' },
  ],
  'time:hour': [
    { '@timestamp': '1772442005250', release: '1.4.0' },
    { '@timestamp': '1786750559999', release: '1.5.0' },
  ],
  'time:minute': [
    { '@timestamp': '1772442005250', release: '1.4.0' },
    { '@timestamp': '1786750559999', release: '1.5.0' },
  ],
  'time:second': [
    { '@timestamp': '1772442005250', release: '1.4.0' },
    { '@timestamp': '1786750559999', release: '1.5.0' },
  ],
  'time:millisecond': [
    { '@timestamp': '1772442005250', release: '1.4.0' },
    { '@timestamp': '1786750559999', release: '1.5.0' },
  ],
  'array:contains': [
    { user: 'ann', 'role[0]': 'admin', 'role[1]': 'dev' },
    { user: 'bob', 'role[0]': 'dev', 'role[1]': 'ops' },
  ],
  'array:regex': [
    { user: 'ann', 'role[0]': 'admin', 'role[1]': 'dev' },
    { user: 'bob', 'role[0]': 'dev', 'role[1]': 'ops' },
  ],
  'array:exists': [{ order: '17', 'ms[0]': '12', 'ms[1]': '250', 'ms[2]': '31' }],
  'objectArray:exists': [
    {
      order: '17',
      'items[0].sku': 'A1',
      'items[0].price': '9.50',
      'items[1].sku': 'B2',
      'items[1].price': '20',
    },
  ],
  'array:length': [
    { user: 'ann', 'role[0]': 'admin', 'role[1]': 'dev' },
    { user: 'bob', 'role[0]': 'dev', 'role[1]': 'ops' },
  ],
  'array:append': [
    { user: 'ann', 'role[0]': 'admin', 'role[1]': 'dev' },
    { user: 'bob', 'role[0]': 'dev', 'role[1]': 'ops' },
  ],
  'array:drop': [
    { user: 'ann', 'role[0]': 'admin', 'role[1]': 'dev' },
    { user: 'bob', 'role[0]': 'dev', 'role[1]': 'ops' },
  ],
  'array:rename': [
    { user: 'ann', 'role[0]': 'admin', 'role[1]': 'dev' },
    { user: 'bob', 'role[0]': 'dev', 'role[1]': 'ops' },
  ],
  'array:dedup': [{ order: '17', 'color[0]': 'red', 'color[1]': 'blue', 'color[2]': 'red' }],
  'array:sort': [{ order: '17', 'ms[0]': '12', 'ms[1]': '250', 'ms[2]': '31' }],
  'array:filter': [{ order: '17', 'ms[0]': '12', 'ms[1]': '250', 'ms[2]': '31' }],
  'array:eval': [{ order: '17', 'ms[0]': '12', 'ms[1]': '250', 'ms[2]': '31' }],
  'objectArray:eval': [
    {
      order: '17',
      'items[0].sku': 'A1',
      'items[0].price': '9.50',
      'items[1].sku': 'B2',
      'items[1].price': '20',
    },
  ],
  'array:reduceRow': [{ order: '17', 'ms[0]': '12', 'ms[1]': '250', 'ms[2]': '31' }],
  'array:reduceColumn': [
    { 'ms[0]': '10', 'ms[1]': '200' },
    { 'ms[0]': '20', 'ms[1]': '300' },
  ],
  'array:reduceAll': [
    { user: 'ann', 'role[0]': 'admin', 'role[1]': 'dev' },
    { user: 'bob', 'role[0]': 'dev', 'role[1]': 'ops' },
  ],
  'array:union': [
    { user: 'ann', 'role[0]': 'admin', 'role[1]': 'dev' },
    { user: 'bob', 'role[0]': 'dev', 'role[1]': 'ops' },
  ],
  'array:intersection': [
    { user: 'ann', 'role[0]': 'admin', 'role[1]': 'dev' },
    { user: 'bob', 'role[0]': 'dev', 'role[1]': 'ops' },
  ],
  concatArray: [
    { user: 'ann', 'role[0]': 'admin', 'role[1]': 'dev' },
    { user: 'bob', 'role[0]': 'dev', 'role[1]': 'ops' },
  ],
  parseJson: [{ '@rawstring': '{"user":{"name":"ann"},"items":["A1","B2"]}' }],
  writeJson: [{ user: 'ann', 'http.method': 'GET', 'http.status': '200' }],
  'json:prettyPrint': [{ '@rawstring': '{"user":{"name":"ann"},"ms":12}' }],
  kvParse: [{ '@rawstring': 'done user=ann ms=12 note="all good"' }],
  parseCsv: [{ '@rawstring': 'ann,"login, retry",12' }],
  parseFixedWidth: [{ '@rawstring': 'ann   login     12' }],
  parseXml: [{ '@rawstring': '<order id="17"><item>A1</item><item>B2</item></order>' }],
  'xml:prettyPrint': [{ '@rawstring': '<order id="17"><item>A1</item></order>' }],
  parseUrl: [{ url: 'https://shop.example.com:8443/cart?user=ann#top' }],
  parseUri: [{ link: 'shop.example.com/products/7' }],
  parseCEF: [{ '@rawstring': 'CEF:0|Acme|Firewall|2.1|100|Port scan|7|src=192.0.2.10 dst=198.51.100.7' }],
  parseLEEF: [{ '@rawstring': 'LEEF:1.0|Acme|Firewall|2.1|scan|src=192.0.2.10\tsev=7' }],
  base64Decode: [{ payload: 'aGVsbG8gd29ybGQ=' }],
  base64Encode: [{ text: 'hello world' }],
  urlDecode: [{ q: 'red%20shoes%26socks' }],
  urlEncode: [{ term: 'red shoes & socks' }],
  parseHexString: [{ payload: '0x48656c6c6f' }],
  parseInt: [{ errorCode: '0x1F4' }],
  'crypto:md5': [{ user: 'ann' }],
  'crypto:sha1': [{ user: 'ann' }],
  'crypto:sha256': [{ tenant: 'acme', user: 'ann' }],
  tokenHash: [{ msg: 'disk full on web-1' }, { msg: 'on web-1 disk full' }],
  hashRewrite: [{ '@rawstring': 'login of ann', user: 'ann' }],
  hashMatch: [{ user: 'ann' }, { user: 'bob' }],
  'bitfield:extractFlags': [{ file: 'app.log', mode: '6' }],
  'bitfield:extractFlagsAsArray': [{ file: 'app.log', mode: '6' }],
  'bitfield:extractFlagsAsString': [{ file: 'app.log', mode: '6' }],
  communityId: [{ proto: 'tcp', src: '192.0.2.10', sport: '34855', dst: '198.51.100.7', dport: '80' }],
  geohash: [{ user: 'ann', lat: '51.5072', lon: '-0.1275' }],
  'geography:distance': [{ 'from.lat': '55.68', 'from.lon': '12.57', 'to.lat': '48.86', 'to.lon': '2.35' }],
};

/** What the examples know of addresses: one is known. */
export const EXAMPLE_ADDRESSES: Readonly<Record<string, ExampleAddress>> = {
  '198.51.100.7': {
    location: { country: 'DK', city: 'Aarhus', state: '82', latitude: 56.16, longitude: 10.21 },
    autonomousSystem: { number: 64500, organization: 'Example Net' },
    hostName: 'scanner.example.net',
    indicators: [{ indicator: '198.51.100.7', type: 'ip_address', confidence: 'high', details: {} }],
  },
};

type ExampleAddress = {
  readonly location: IpLocation;
  readonly autonomousSystem: AutonomousSystem;
  readonly hostName: string;
  readonly indicators: readonly Indicator[];
};
