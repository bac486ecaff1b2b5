import { seededRandom } from '../../core/seeded-random.ts';
import type { StructuredEventGroup } from '../../core/wire/ingest.ts';

/** Logs that tell a story of an hour, and go on after it. */
export interface Sample {
  /** Name of its repository. */
  readonly repository: string;
  readonly title: string;
  /** Queries that follow the story. */
  readonly queries: readonly string[];
  /** Milliseconds between its moments. */
  readonly everyMs: number;
  /** What is logged at a moment. */
  readonly log: (moment: Moment) => Iterable<StructuredEventGroup>;
}

/** What a sample logs in an interval. All times are epoch milliseconds; the story starts at `begin`. */
export function sampleEvents(
  { everyMs, log }: Sample,
  begin: number,
  start: number,
  end: number,
): readonly StructuredEventGroup[] {
  const events: StructuredEventGroup[] = [];
  for (let step = Math.ceil((start - begin) / everyMs); begin + step * everyMs < end; step++) {
    events.push(...log(new Moment(begin, step, everyMs)));
  }
  return events;
}

/** A moment of a story. Its random numbers are always the same, so that a link shows everyone the same story. */
class Moment {
  readonly time: number;
  /** Minutes since the start of the story. */
  readonly minute: number;
  /** From 0 to 1. */
  readonly random: () => number;

  constructor(begin: number, step: number, everyMs: number) {
    this.random = seededRandom(step * 2654435761);
    this.minute = (step * everyMs) / 60_000;
    this.time = begin + step * everyMs + this.whole(0, everyMs / 2);
  }

  isBetween(from: number, to: number): boolean {
    return this.minute >= from && this.minute < to;
  }

  whole(from: number, to: number): number {
    return Math.floor(from + this.random() * (to - from + 1));
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.whole(0, items.length - 1)]!;
  }
}

const USERS = ['ann', 'bob', 'cleo', 'dana', 'erik', 'fay', 'gus', 'hugo'];

function ofService(service: string, timestamp: number, attributes: object): StructuredEventGroup {
  return { tags: { service }, events: [{ timestamp, attributes }] };
}

/** A release of the payments service exhausts its database connections; checkouts fail until it is rolled back. */
function* checkout(moment: Moment): Iterable<StructuredEventGroup> {
  const { time, minute } = moment;
  const isBroken = moment.isBetween(36, 52);
  const version = moment.isBetween(34, 51) ? '2.4.0' : '2.3.7';
  const traceId = moment.whole(2 ** 28, 2 ** 32 - 1).toString(16);
  const common = { traceId, order: `o-${1000 + Math.floor(minute * 24)}` };
  const user = moment.pick(USERS);
  const priced = { level: 'info', msg: 'cart priced', ...common, user, ms: moment.whole(4, 30) };
  yield ofService('cart', time, priced);
  if (isBroken && moment.random() < Math.min(0.8, (minute - 35) / 8)) {
    const failed = { level: 'error', ...common };
    const err = { type: 'PoolTimeout', message: 'no database connection within 5000 ms' };
    yield ofService('payments', time + 40, { ...failed, msg: 'charge failed', version, ms: 5000, err });
    yield ofService('web', time + 60, { ...failed, msg: 'checkout failed', user, status: 502, ms: 5060 });
  } else {
    const ms = isBroken ? moment.whole(600, 5000) : moment.whole(20, 90);
    const charged = ms > 1500 ? { level: 'warn', msg: 'slow charge' } : { level: 'info', msg: 'charged' };
    const completed = { level: 'info', msg: 'checkout completed', ...common, user, status: 200, ms: ms + 60 };
    yield ofService('payments', time + 40, { ...charged, ...common, version, ms });
    yield ofService('web', time + 60, completed);
  }
  if (moment.isBetween(34, 34.04))
    yield ofService('payments', time, { level: 'info', msg: 'deployed', version, by: 'ci' });
  if (moment.isBetween(51, 51.04))
    yield ofService('payments', time, { level: 'info', msg: 'rolled back', version, by: 'dana' });
  if (isBroken && moment.random() < 0.15) {
    const pool = { size: 10, waiting: moment.whole(5, 60) };
    yield ofService('payments', time, { level: 'warn', msg: 'connection pool is full', version, pool });
  }
}

const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64) Chrome/131.0',
  'Mozilla/5.0 (Macintosh) Version/18.1 Safari/605.1',
  'curl/8.5.0',
];
const PATHS = ['/', '/products', '/products/7', '/products/12', '/cart', '/search?q=boots', '/static/app.js'];
const GUESSES = ['/admin', '/wp-login.php', '/.env', '/.git/config'];

/** One client guesses the address of the administration. */
function* accessLog(moment: Moment): Iterable<StructuredEventGroup> {
  const isGuess = moment.isBetween(28, 33) && moment.random() < 0.6;
  const path = moment.pick(isGuess ? GUESSES : PATHS);
  const client = isGuess ? '203.0.113.66' : `198.51.100.${moment.whole(2, 60)}`;
  const method = path === '/cart' ? 'POST' : 'GET';
  const status = isGuess ? 404 : moment.random() < 0.02 ? 500 : 200;
  const bytes = status === 200 ? moment.whole(800, 48_000) : 162;
  const agent = isGuess ? 'python-requests/2.31' : moment.pick(AGENTS);
  const ms = moment.whole(3, path.startsWith('/search') ? 900 : 90);
  const rawstring = `${client} - - [${new Date(moment.time).toISOString()}] "${method} ${path} HTTP/1.1" ${status} ${bytes} "-" "${agent}" ${ms}`;
  const attributes = { client, method, path, status, bytes, agent, ms };
  yield { tags: { type: 'accesslog' }, events: [{ timestamp: moment.time, attributes, rawstring }] };
}

const ATTACK = [
  { from: 40, to: 44, action: 'login', result: 'denied' },
  { from: 44, to: 44.4, action: 'login', result: 'allowed' },
  { from: 45, to: 45.4, action: 'grant role admin', result: 'allowed' },
  { from: 47, to: 49, action: 'export customers', result: 'allowed' },
];
const USUAL = ['login', 'view customer', 'edit product', 'logout'];

/** Someone guesses a password, gives the account rights, and exports customers. */
function* audit(moment: Moment): Iterable<StructuredEventGroup> {
  const attack = ATTACK.find(({ from, to }) => moment.isBetween(from, to));
  const actor = attack === undefined ? moment.pick(USERS) : 'erik';
  const { action, result } = attack ?? { action: moment.pick(USUAL), result: 'allowed' };
  const ip = attack === undefined ? `192.0.2.${moment.whole(10, 30)}` : '203.0.113.66';
  const attributes = { actor, action, result, ip };
  yield { tags: { type: 'audit' }, events: [{ timestamp: moment.time, attributes }] };
}

const BROWSERS = ['Chrome 131', 'Chrome 130', 'Firefox 133', 'Safari 18.1', 'Safari 17.6'];
const WARNINGS = ['Script error.', 'ResizeObserver loop limit exceeded', 'NetworkError: load failed'];

/** A release breaks the product page in Safari. */
function* browserErrors(moment: Moment): Iterable<StructuredEventGroup> {
  const release = moment.minute > 22 ? '4.2.0' : '4.1.3';
  const browser = moment.pick(BROWSERS);
  const common = { browser, release, user: moment.pick(USERS) };
  if (release === '4.2.0' && browser.startsWith('Safari') && moment.random() < 0.8) {
    const msg = "TypeError: undefined is not an object (evaluating 'item.price.format')";
    const err = { stack: `${msg}\n    at price (app.js:1:90412)\n    at render (app.js:1:4120)` };
    yield ofService('storefront', moment.time, { level: 'error', msg, url: '/products/7', ...common, err });
  } else {
    const [msg, url] = [moment.pick(WARNINGS), moment.pick(PATHS)];
    yield ofService('storefront', moment.time, { level: 'warn', msg, url, ...common });
  }
}

export const SAMPLES: readonly Sample[] = [
  {
    repository: 'checkout',
    title: 'A checkout incident in three services',
    queries: [
      'level=error | groupBy([#service, msg])',
      'timeChart(#service, function=count(), span=2m)',
      '#service=payments | timeChart(version, function=max(ms), span=2m)',
      '"connection pool" | timeChart(function=max(pool.waiting), span=1m)',
    ],
    everyMs: 2_500,
    log: checkout,
  },
  {
    repository: 'access-log',
    title: 'An HTTP access log',
    queries: [
      'status>=400 | top(path)',
      'status=404 | groupBy([client, agent])',
      'groupBy(path, function=[count(), avg(ms), max(ms)])',
    ],
    everyMs: 2_000,
    log: accessLog,
  },
  {
    repository: 'audit',
    title: 'Audit events',
    queries: [
      'result=denied | groupBy([actor, ip])',
      'ip="203.0.113.66" | select([@timestamp, action, result])',
      'groupBy([actor, action])',
    ],
    everyMs: 10_000,
    log: audit,
  },
  {
    repository: 'browser-errors',
    title: 'Errors in browsers',
    queries: ['groupBy([release, msg])', 'level=error | top(browser)', 'timeChart(release, span=2m)'],
    everyMs: 5_000,
    log: browserErrors,
  },
];

export function isSample(repository: string): boolean {
  return SAMPLES.some((sample) => sample.repository === repository);
}
