import type { Fields } from '../../src/engine/index.ts';
import { compileQuery } from '../../src/engine/index.ts';
import { libraryOf } from './library.ts';

const START = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const NAMES = ['level', 'host', 'status', 'ms', 'user', 'ip', 'msg'];

function event(id: string, minute: number, text: string): Fields {
  const [level = '', host = '', status = '', ms = '', user = '', ip = '', ...words] = text.split(' ');
  const msg = words.join(' ');
  const tags: Fields = id === '2' ? { 'tags[0]': 'a', 'tags[1]': 'b' } : {};
  const fields = { ...bare(id, minute, msg), level, host, status, ms, ip, msg };
  return user === '-' ? fields : { ...fields, ...tags, user };
}

function bare(id: string, minute: number, text: string): Fields {
  return { id, '@timestamp': String(START + minute * MINUTE_MS), '@rawstring': `n=${id} ${text}` };
}

/** The events that the mistakes are about. */
export const EVENTS: readonly Fields[] = [
  event('1', 1, 'info web-1 200 10 ann 10.0.0.1 started'),
  event('2', 2, 'error web-1 500 250 bob 10.0.0.2 db timeout'),
  event('3', 3, 'warn web-2 404 40 ann 192.168.1.5 not found'),
  event('4', 4, 'error web-2 503 900 cid 10.0.0.2 upstream timeout'),
  event('5', 10, 'info db 200 20 - 8.8.8.8 Checkpoint'),
];

/** Events for which languages differ: `6` has no field, `7` only empty ones, and `8` is `2` in another case. */
export const HOSTILE_EVENTS: readonly Fields[] = [
  bare('6', 6, ''),
  { ...bare('7', 7, ''), ...Object.fromEntries(NAMES.map((name) => [name, ''])) },
  event('8', 8, 'ERROR WEB-1 500 250 BOB 10.0.0.2 DB TIMEOUT'),
];

const LIBRARY = libraryOf({ files: { 'hosts.csv': ['host,team', 'web-1,a', 'web-2,b'] } });

/** The rows of a query as one line: events by their `id` and what the query changed, buckets in minutes. */
export function rowsText(query: string, events = EVENTS): string {
  const plan = compileQuery(query, { library: LIBRARY });
  const end = START + 11 * MINUTE_MS;
  const run = plan.open({ start: START, end, now: end, timeZone: 'UTC' });
  if (plan.readsEvents) for (const one of events) run.push({ ...one });
  const rows = plan.isAggregate ? run.rows() : run.rows().toReversed();
  return rows.map((row) => rowText(row, events)).join('; ');
}

function rowText(row: Fields, events: readonly Fields[]): string {
  const original = events.find(({ id }) => id === row.id) ?? {};
  const changed = Object.entries(row).filter(([name, value]) => original[name] !== value);
  const removed = row.id === undefined ? [] : Object.keys(original).filter((name) => row[name] === undefined);
  const parts = changed.map(([name, value]) => `${name}=${name === '_bucket' ? minuteOf(value) : value}`);
  return [...(row.id === undefined ? [] : [row.id]), ...parts, ...removed.map((name) => `-${name}`)]
    .join(' ')
    .replaceAll('\n', '+');
}

function minuteOf(time: string): string {
  return `${(Number(time) - START) / MINUTE_MS}m`;
}
