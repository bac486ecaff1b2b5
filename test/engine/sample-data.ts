const START = Date.UTC(2026, 2, 2, 9);

/** The interval of the examples: three minutes of 2 March 2026. */
export const SAMPLE_INTERVAL = { start: START, end: START + 180_000 } as const;

const COLUMNS = ['#service', 'level', 'http.method', 'http.path', 'status', 'ms', 'user', 'ip', 'msg'];

/** Seconds after the start, then the columns. An empty cell is a missing field. */
const REQUESTS: readonly (readonly [number, ...string[]])[] = [
  [0, 'shop', 'info', 'GET', '/products', '200', '23', 'ann', '192.0.2.10', 'request completed'],
  [5, 'shop', 'info', 'GET', '/products/7', '200', '41', 'bob', '192.0.2.11', 'request completed'],
  [20, 'shop', 'warn', 'POST', '/cart', '200', '1240', 'ann', '192.0.2.10', 'slow request'],
  [40, 'billing', 'info', 'GET', '/invoices/17', '200', '18', '', '198.51.100.7', 'request completed'],
  [70, 'shop', 'error', 'POST', '/checkout', '503', '310', 'ann', '192.0.2.10', 'request failed'],
  [75, 'billing', 'error', 'POST', '/invoices', '500', '95', 'cleo', '198.51.100.7', 'request failed'],
  [90, 'shop', 'info', 'GET', '/cart', '200', '64', 'bob', '192.0.2.11', 'request completed'],
  [125, 'billing', 'info', 'GET', '/invoices/18', '404', '12', 'cleo', '198.51.100.7', 'request completed'],
];

/** Requests to two services, as the apps of `npm run demo` log them. */
export const SAMPLE_EVENTS: readonly Readonly<Record<string, string>>[] = REQUESTS.map(
  ([seconds, ...cells]) => {
    const fields = COLUMNS.map((name, i): [string, string] => [name, cells[i]!]);
    return Object.fromEntries([
      ['@timestamp', String(START + seconds * 1000)],
      ...fields.filter(([, value]) => value !== ''),
    ]);
  },
);

/** The lookup files of the examples, as lines of CSV. */
export const SAMPLE_FILES = {
  'owners.csv': ['service,team,oncall', 'shop,storefront,dana', 'billing,payments,erik'],
} as const;
