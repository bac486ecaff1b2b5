/** An event of a structured ingest request. */
export interface SampleEvent {
  readonly timestamp: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly rawstring?: string;
}

export interface SampleGroup {
  readonly tags: Readonly<Record<string, string>>;
  readonly events: SampleEvent[];
}

/** Logs that tell a story, which ends now. */
export interface Sample {
  /** Name of its repository. */
  readonly repository: string;
  readonly title: string;
  /** Queries that follow the story. */
  readonly queries: readonly string[];
  /** The events of an interval, in epoch milliseconds, as they happen in the last hour before `now`. */
  readonly events: (start: number, end: number, now: number) => readonly SampleGroup[];
}

const MINUTE = 60_000;

/** Random numbers that are the same for the same moment, so that a link shows everyone the same story. */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 to 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  whole(from: number, to: number): number {
    return Math.floor(from + this.next() * (to - from + 1));
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.whole(0, items.length - 1)]!;
  }

  hex(length: number): string {
    return Array.from({ length }, () => this.whole(0, 15).toString(16)).join('');
  }
}

/** Calls back every `everyMs` of an interval, with the minutes since the start of the story and dice of that moment. */
function* moments(
  start: number,
  end: number,
  now: number,
  everyMs: number,
): Generator<[number, number, Dice]> {
  const begin = now - 60 * MINUTE;
  for (let step = Math.ceil((start - begin) / everyMs); ; step++) {
    const time = begin + step * everyMs;
    if (time >= end) return;
    const dice = new Dice(step * 2654435761);
    yield [time + dice.whole(0, everyMs / 2), (time - begin) / MINUTE, dice];
  }
}

const USERS = ['ann', 'bob', 'cleo', 'dana', 'erik', 'fay', 'gus', 'hugo'];

type Log = (service: string, timestamp: number, level: string, attributes: object) => void;

/** A release of the payments service exhausts its database connections; checkouts fail until it is rolled back. */
function checkout(start: number, end: number, now: number): readonly SampleGroup[] {
  const groups = new Map<string, SampleEvent[]>(['web', 'cart', 'payments'].map((service) => [service, []]));
  const log: Log = (service, timestamp, level, attributes) => {
    const logged = { level, ...attributes };
    groups.get(service)!.push({ timestamp, attributes: logged, rawstring: JSON.stringify(logged) });
  };
  for (const [time, minute, dice] of moments(start, end, now, 2_500)) {
    logCheckout(log, time, minute, dice);
    logOperations(log, time, minute, dice);
  }
  return [...groups].map(([service, events]) => ({ tags: { service }, events }));
}

const isBroken = (minute: number): boolean => minute > 36 && minute < 52;
const versionAt = (minute: number): string => (minute > 34 && minute < 51 ? '2.4.0' : '2.3.7');

function logCheckout(log: Log, time: number, minute: number, dice: Dice): void {
  const traceId = dice.hex(16);
  const user = dice.pick(USERS);
  const order = `o-${1000 + Math.floor(minute * 24)}`;
  const version = versionAt(minute);
  const ms = isBroken(minute) ? dice.whole(600, 5000) : dice.whole(20, 90);
  log('cart', time, 'info', { msg: 'cart priced', traceId, user, order, ms: dice.whole(4, 30) });
  if (isBroken(minute) && dice.next() < Math.min(0.8, (minute - 35) / 8)) {
    const err = { type: 'PoolTimeout', message: 'no database connection within 5000 ms' };
    log('payments', time + 40, 'error', { msg: 'charge failed', traceId, order, version, ms: 5000, err });
    log('web', time + 60, 'error', { msg: 'checkout failed', traceId, user, order, status: 502, ms: 5060 });
    return;
  }
  const isSlow = ms > 1500;
  const msg = isSlow ? 'slow charge' : 'charged';
  log('payments', time + 40, isSlow ? 'warn' : 'info', { msg, traceId, order, version, ms });
  log('web', time + 60, 'info', {
    msg: 'checkout completed',
    traceId,
    user,
    order,
    status: 200,
    ms: ms + 60,
  });
}

function logOperations(log: Log, time: number, minute: number, dice: Dice): void {
  if (minute > 34 && minute < 34.1)
    log('payments', time, 'info', { msg: 'deployed', version: '2.4.0', by: 'ci' });
  if (minute > 51 && minute < 51.1)
    log('payments', time, 'info', { msg: 'rolled back', version: '2.3.7', by: 'dana' });
  if (!isBroken(minute) || dice.next() > 0.15) return;
  const pool = { size: 10, waiting: dice.whole(5, 60) };
  log('payments', time, 'warn', { msg: 'connection pool is full', version: versionAt(minute), pool });
}

const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64) Chrome/131.0',
  'Mozilla/5.0 (Macintosh) Version/18.1 Safari/605.1',
  'curl/8.5.0',
];
const PATHS = ['/', '/products', '/products/7', '/products/12', '/cart', '/search?q=boots', '/static/app.js'];

/** One client guesses the address of the administration. */
function accessLog(start: number, end: number, now: number): readonly SampleGroup[] {
  const events = [...moments(start, end, now, 2_000)].map(([timestamp, minute, dice]): SampleEvent => {
    const isScan = minute > 28 && minute < 33 && dice.next() < 0.6;
    const path = isScan ? dice.pick(['/admin', '/wp-login.php', '/.env', '/.git/config']) : dice.pick(PATHS);
    const client = isScan ? '203.0.113.66' : `198.51.100.${dice.whole(2, 60)}`;
    const method = path === '/cart' ? 'POST' : 'GET';
    const status = isScan ? 404 : dice.next() < 0.02 ? 500 : 200;
    const bytes = status === 200 ? dice.whole(800, 48_000) : 162;
    const agent = isScan ? 'python-requests/2.31' : dice.pick(AGENTS);
    const ms = dice.whole(3, path.startsWith('/search') ? 900 : 90);
    const rawstring = `${client} - - [${new Date(timestamp).toISOString()}] "${method} ${path} HTTP/1.1" ${status} ${bytes} "-" "${agent}" ${ms}`;
    return { timestamp, rawstring, attributes: { client, method, path, status, bytes, agent, ms } };
  });
  return [{ tags: { type: 'accesslog' }, events }];
}

/** Someone guesses a password, gives the account rights, and exports customers. */
function audit(start: number, end: number, now: number): readonly SampleGroup[] {
  const usual = ['login', 'view customer', 'edit product', 'logout'];
  const events = [...moments(start, end, now, 10_000)].map(([timestamp, minute, dice]): SampleEvent => {
    const steps: readonly [number, number, string, string][] = [
      [40, 44, 'login', 'denied'],
      [44, 44.4, 'login', 'allowed'],
      [45, 45.4, 'grant role admin', 'allowed'],
      [47, 49, 'export customers', 'allowed'],
    ];
    const [, , action, result] = steps.find(([from, to]) => minute >= from && minute < to) ?? [];
    const [actor, ip] = [dice.pick(USERS), `192.0.2.${dice.whole(10, 30)}`];
    const attributes =
      action === undefined
        ? { actor, action: dice.pick(usual), result: 'allowed', ip }
        : { actor: 'erik', action, result, ip: '203.0.113.66' };
    return { timestamp, attributes, rawstring: JSON.stringify(attributes) };
  });
  return [{ tags: { type: 'audit' }, events }];
}

/** A release breaks the product page in Safari. */
function browserErrors(start: number, end: number, now: number): readonly SampleGroup[] {
  const events = [...moments(start, end, now, 5_000)].map(([timestamp, minute, dice]): SampleEvent => {
    const release = minute > 22 ? '4.2.0' : '4.1.3';
    const browser = dice.pick(['Chrome 131', 'Chrome 130', 'Firefox 133', 'Safari 18.1', 'Safari 17.6']);
    const isBroken = release === '4.2.0' && browser.startsWith('Safari') && dice.next() < 0.8;
    const [message, url] = isBroken
      ? ["TypeError: undefined is not an object (evaluating 'item.price.format')", '/products/7']
      : [
          dice.pick(['Script error.', 'ResizeObserver loop limit exceeded', 'NetworkError: load failed']),
          dice.pick(PATHS),
        ];
    const stack = isBroken
      ? `${message}\n    at price (app.js:1:${release === '4.2.0' ? 90_412 : 81_007})\n    at render (app.js:1:4120)`
      : '';
    const attributes = {
      level: isBroken ? 'error' : 'warn',
      msg: message,
      url,
      browser,
      release,
      user: dice.pick(USERS),
      ...(stack && { err: { stack } }),
    };
    return { timestamp, attributes, rawstring: JSON.stringify(attributes) };
  });
  return [{ tags: { service: 'storefront' }, events }];
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
    events: checkout,
  },
  {
    repository: 'access-log',
    title: 'An HTTP access log',
    queries: [
      'status>=400 | top(path)',
      'status=404 | groupBy([client, agent])',
      'groupBy(path, function=[count(), avg(ms), max(ms)])',
    ],
    events: accessLog,
  },
  {
    repository: 'audit',
    title: 'Audit events',
    queries: [
      'result=denied | groupBy([actor, ip])',
      'ip="203.0.113.66" | select([@timestamp, action, result])',
      'groupBy([actor, action])',
    ],
    events: audit,
  },
  {
    repository: 'browser-errors',
    title: 'Errors in browsers',
    queries: ['groupBy([release, msg])', 'level=error | top(browser)', 'timeChart(release, span=2m)'],
    events: browserErrors,
  },
];
