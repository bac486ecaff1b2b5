/** The log that the queries of the tasks run on: requests of a shop, one every ten seconds. */
const REQUESTS = [
  [
    'info',
    'order placed',
    { service: 'cart', user: 'ann', path: '/orders', status: 201, ms: 120, order: 'o-1', amount: 40 },
  ],
  [
    'info',
    'order placed',
    { service: 'cart', user: 'bob', path: '/orders', status: 201, ms: 80, order: 'o-2', amount: 15 },
  ],
  [
    'error',
    'payment failed',
    {
      service: 'billing',
      user: 'bob',
      path: '/pay',
      status: 502,
      ms: 2100,
      order: 'o-2',
      err: { message: 'bank timeout' },
    },
  ],
  ['warn', 'stock is low', { service: 'stock', item: 'tea', left: 3 }],
  ['info', 'paid', { service: 'billing', user: 'ann', path: '/pay', status: 200, ms: 340, order: 'o-1' }],
  ['info', 'health', { service: 'cart', path: '/healthz', status: 200, ms: 1 }],
  [
    'error',
    'payment failed',
    {
      service: 'billing',
      user: 'eve',
      path: '/pay',
      status: 402,
      ms: 95,
      order: 'o-3',
      err: { message: 'card declined' },
    },
  ],
  [
    'info',
    'order placed',
    { service: 'cart', user: 'eve', path: '/orders', status: 201, ms: 150, order: 'o-3', amount: 99 },
  ],
  ['info', 'login from 10.0.0.7', { service: 'accounts', user: 'ann', path: '/login', status: 200, ms: 45 }],
  [
    'warn',
    'login failed from 10.0.0.9',
    { service: 'accounts', user: 'bob', path: '/login', status: 401, ms: 30 },
  ],
  [
    'warn',
    'login failed from 10.0.0.9',
    { service: 'accounts', user: 'bob', path: '/login', status: 401, ms: 28 },
  ],
  [
    'warn',
    'login failed from 10.0.0.9',
    { service: 'accounts', user: 'bob', path: '/login', status: 401, ms: 33 },
  ],
  [
    'error',
    'payment failed',
    {
      service: 'billing',
      user: 'bob',
      path: '/pay',
      status: 502,
      ms: 3050,
      order: 'o-2',
      err: { message: 'bank timeout' },
    },
  ],
  ['info', 'health', { service: 'cart', path: '/healthz', status: 200, ms: 2 }],
  ['fatal', 'out of memory', { service: 'stock', err: { message: 'heap limit' } }],
  ['info', 'paid', { service: 'billing', user: 'eve', path: '/pay', status: 200, ms: 410, order: 'o-3' }],
];

const START = Date.UTC(2026, 1, 3, 9);

/** The lines of the log, as NDJSON. */
export const LOG = REQUESTS.map(
  ([level, msg, fields], i) =>
    `${JSON.stringify({ '@timestamp': START + i * 10_000, level, msg, ...fields })}\n`,
);
