// The records to log and the events to store. All are derived from a number, so every run uses the same data.
import { recordOf } from './compare/record.mjs';

/** Occurs once per record, to count records. Random text must not precede a hyphen: it may end in `rec`. */
export const MARK = 'rec-';

const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE'];
const PATHS = ['/cart', '/cart/items', '/checkout', '/products', '/products/search', '/login', '/health'];
const SERVICES = ['shop', 'billing', 'search', 'mail', 'accounts'];
const LEVELS = ['info', 'info', 'info', 'info', 'info', 'info', 'debug', 'debug', 'warn', 'error'];
const STATUS = [200, 200, 200, 200, 201, 204, 304, 404, 500, 503];
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101';

/** A pseudorandom number in [0, 2^32), derived from `n`. */
function scattered(n) {
  let x = Math.imul(n ^ (n >>> 16), 0x45d9f3b);
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b);
  return (x ^ (x >>> 16)) >>> 0;
}

const pick = (list, random) => list[random % list.length];

/** A web request, about 290 bytes as a line of pino, with two secrets if asked; with `bytes`, a record of about that size. */
export function loggedRecord(n, { bytes, hasSecrets = false } = {}) {
  if (bytes !== undefined) return recordOf(n, bytes);
  const random = scattered(n);
  const fields = {
    reqId: `${random.toString(36)}.${n}`,
    http: {
      method: pick(METHODS, random),
      path: pick(PATHS, random >>> 3),
      status: pick(STATUS, random >>> 5),
      bytes: random % 50_000,
      agent: AGENT,
    },
    durationMs: (random % 100_000) / 1_000,
  };
  // Not as a spread in the literal: the records of all runs would cost more.
  if (hasSecrets) Object.assign(fields, { password: `pass-${random}`, auth: `Bearer ${random}abcdefghijkl` });
  return { message: `${MARK}${n} request completed`, fields };
}

/** The stored events span one hour, in order. */
export const STORED_SPAN_MS = 3_600_000;

/** A flat event to store for the query benchmarks. */
export function storedEvent(n) {
  const random = scattered(n);
  const level = pick(LEVELS, random >>> 8);
  const slow = level === 'error' ? 'payment timed out' : 'order placed';
  return {
    level,
    service: pick(SERVICES, random >>> 4),
    host: `web-${random % 40}`,
    method: pick(METHODS, random),
    path: pick(PATHS, random >>> 3),
    status: pick(STATUS, random >>> 5),
    ms: (random % 100_000) / 100,
    user: `user-${random % 5_000}`,
    message: `${slow}, ${MARK}${n}, order ${random % 90_000}`,
  };
}

export function storedAt(n, events, endsAt) {
  return Math.floor(endsAt - STORED_SPAN_MS + (n / events) * STORED_SPAN_MS);
}

/** A request body for the structured ingest endpoint. */
export function storedBody(from, until, events, endsAt) {
  const batch = [];
  for (let n = from; n < until; n++) {
    batch.push({ timestamp: storedAt(n, events, endsAt), attributes: storedEvent(n) });
  }
  return JSON.stringify([{ tags: { kind: 'bench' }, events: batch }]);
}
