import { describe, expect, test } from 'vitest';
import { compileQuery, type Fields } from '../../src/engine/index.ts';
import { check, fixQuery } from '../../src/language/index.ts';
import { EVENTS } from './mistake-rows.ts';

type Filter = readonly [condition: string, isWanted: (event: Fields) => boolean];
/** What follows the filter, and the rows that it makes of the events: newest first, as other systems return them. */
type Tail = readonly [steps: string, rows: (events: readonly Fields[]) => readonly Fields[]];

const has = (pattern: RegExp) => (text: string | undefined) => pattern.test(text ?? '');
const number = (text: string | undefined) => Number(text);

/** Conditions of `where` in KQL. */
const KQL: readonly Filter[] = [
  ['level == "error"', ({ level }) => level === 'error'],
  [
    'level == "error" and host == "web-1" or level == "warn"',
    ({ level, host }) => (level === 'error' && host === 'web-1') || level === 'warn',
  ],
  [
    'level == "warn" or level == "error" and status == 503',
    ({ level, status }) => level === 'warn' || (level === 'error' && status === '503'),
  ],
  [
    '(level == "warn" or level == "error") and ms > 100',
    ({ level, ms }) => level !== 'info' && number(ms) > 100,
  ],
  ['level =~ "ERROR"', ({ level }) => level === 'error'],
  ['level !~ "ERROR"', ({ level }) => level !== 'error'],
  ['level != "info" and not(msg has "found")', ({ level, msg }) => level !== 'info' && !has(/found/)(msg)],
  ['msg contains "TIME"', ({ msg }) => has(/time/)(msg)],
  ['msg !contains "TIME" or ms >= 900', ({ msg, ms }) => !has(/time/)(msg) || number(ms) >= 900],
  ['msg has "Timeout"', ({ msg }) => has(/timeout/)(msg)],
  ['msg has "time"', () => false],
  ['msg startswith "DB"', ({ msg }) => has(/^db/)(msg)],
  ['msg endswith "OUT" and host startswith "web"', ({ msg, host }) => has(/out$/)(msg) && has(/^web/)(host)],
  ['msg startswith_cs "db"', ({ msg }) => has(/^db/)(msg)],
  ['msg has_any ("db", "FOUND")', ({ msg }) => has(/db|found/)(msg)],
  ['msg has_all ("DB", "timeout")', ({ msg }) => has(/db timeout/)(msg)],
  ['level in ("error", "warn")', ({ level }) => level !== 'info'],
  [
    'level in~ ("ERROR", "Warn") and status < 503',
    ({ level, status }) => level !== 'info' && number(status) < 503,
  ],
  ['level !in ("error", "warn")', ({ level }) => level === 'info'],
  ['status between (400 .. 500)', ({ status }) => status === '404' || status === '500'],
  [
    'status between (400 .. 500) and level == "error" or host == "db"',
    ({ status, level, host }) => (status === '500' && level === 'error') || host === 'db',
  ],
  ['msg matches regex "^\\\\w+ time"', ({ msg }) => has(/^\w+ time/)(msg)],
  ['msg matches regex @"^\\w+ time"', ({ msg }) => has(/^\w+ time/)(msg)],
  ['isempty(user)', ({ user }) => user === undefined],
  ['isnotempty(user) and ms < 50', ({ user, ms }) => user !== undefined && number(ms) < 50],
  ['toint(status) >= 500', ({ status }) => number(status) >= 500],
  ['tolower(level) == "error" or ms == 10', ({ level, ms }) => level === 'error' || ms === '10'],
  ['strlen(msg) > 10', ({ msg }) => msg!.length > 10],
  [
    'host == @"web-2" && ms > 50 || status == 404',
    ({ host, ms, status }) => (host === 'web-2' && number(ms) > 50) || status === '404',
  ],
  ['Timestamp > datetime(2026-01-01) and level == "error"', ({ level }) => level === 'error'],
];

/** Conditions of `where` in SPL. */
const SPL: readonly Filter[] = [
  ['where level="error"', ({ level }) => level === 'error'],
  [
    'where level="error" AND host="web-1" OR level="warn"',
    ({ level, host }) => (level === 'error' && host === 'web-1') || level === 'warn',
  ],
  [
    'where level=="warn" OR level=="error" AND status=503',
    ({ level, status }) => level === 'warn' || (level === 'error' && status === '503'),
  ],
  [
    'where (level="warn" OR level="error") AND ms>100',
    ({ level, ms }) => level !== 'info' && number(ms) > 100,
  ],
  ['where NOT level="info"', ({ level }) => level !== 'info'],
  ['where level!="info" AND status<=500', ({ level, status }) => level !== 'info' && number(status) <= 500],
  ['where isnull(user)', ({ user }) => user === undefined],
  [
    'where isnotnull(user) AND ms<50 OR status=503',
    ({ user, ms, status }) => (user !== undefined && number(ms) < 50) || status === '503',
  ],
  ['where like(msg, "%time%")', ({ msg }) => has(/time/)(msg)],
  ['where like(msg, "d_ %")', ({ msg }) => has(/^d. /)(msg)],
  ['where match(msg, "^\\w+ time")', ({ msg }) => has(/^\w+ time/)(msg)],
  ['where cidrmatch("10.0.0.0/8", ip)', ({ ip }) => has(/^10\./)(ip)],
  ['where len(msg)>10', ({ msg }) => msg!.length > 10],
  ['where ms/10 > 20', ({ ms }) => number(ms) > 200],
  ['where lower(level)="error"', ({ level }) => level === 'error'],
  ['where level IN ("error", "warn")', ({ level }) => level !== 'info'],
  ['search level=error', ({ level }) => level === 'error'],
  [
    'search level=error OR level=warn status=404',
    ({ level, status }) => level !== 'info' && status === '404',
  ],
  ['search level=error host=web-1 OR host=db', ({ level, host }) => level === 'error' && host === 'web-1'],
  ['search NOT level=info', ({ level }) => level !== 'info'],
  [
    'search (level=error AND host=web-1) OR level=warn',
    ({ level, host }) => (level === 'error' && host === 'web-1') || level === 'warn',
  ],
  ['search msg="*time*" host=web-2', ({ msg, host }) => has(/time/)(msg) && host === 'web-2'],
  ['search timeout', ({ msg }) => has(/timeout/)(msg)],
  ['search level=error timeout', ({ msg, level }) => has(/timeout/)(msg) && level === 'error'],
  ['search status>=500', ({ status }) => number(status) >= 500],
  ['regex msg="^\\w+ time"', ({ msg }) => has(/^\w+ time/)(msg)],
  ['regex msg!="time"', ({ msg }) => !has(/time/)(msg)],
  [
    'eval slow=if(ms>100 AND level="error" OR host="db","yes","no") | where slow="yes"',
    ({ ms, level, host }) => (number(ms) > 100 && level === 'error') || host === 'db',
  ],
  ['eval up=upper(level) | where up="ERROR"', ({ level }) => level === 'error'],
  ['rex field=msg "(?<first>\\w+) timeout" | where first="db"', ({ msg }) => has(/db timeout/)(msg)],
];

const newest = (events: readonly Fields[]) => events.toReversed();
const pick = (names: readonly string[]) => (event: Fields) =>
  Object.fromEntries(names.filter((name) => event[name] !== undefined).map((name) => [name, event[name]!]));

function counted(events: readonly Fields[], key: string, as = '_count'): Fields[] {
  const keys = [...new Set(events.map((event) => event[key]!))].sort();
  return keys.map((value) => ({
    [key]: value,
    [as]: String(events.filter((event) => event[key] === value).length),
  }));
}

function mostFirst(rows: readonly Fields[], name: string): Fields[] {
  return rows.toSorted((a, b) => number(b[name]) - number(a[name]) || (a.host! < b.host! ? -1 : 1));
}

const byMs = (events: readonly Fields[]) => events.toSorted((a, b) => number(b.ms) - number(a.ms));
const ids = (events: readonly Fields[]) => events.map(pick(['id']));
const hosts = (events: readonly Fields[]) => counted(events, 'host').map(({ host }) => ({ host: host! }));

const KQL_TAILS: readonly Tail[] = [
  ['', (events) => ids(newest(events))],
  [' | summarize count() by host', (events) => counted(events, 'host')],
  [
    ' | summarize n=count() by host | order by n desc, host asc | take 1',
    (events) => mostFirst(counted(events, 'host', 'n'), 'n').slice(0, 1),
  ],
  [' | top 2 by ms desc', (events) => ids(byMs(events).slice(0, 2))],
  [' | order by ms asc | take 1', (events) => ids(byMs(events).toReversed().slice(0, 1))],
  [' | distinct host', hosts],
  [' | project host, level', (events) => newest(events).map(pick(['host', 'level']))],
  [' | sort by ms', (events) => ids(byMs(events))],
];

const SPL_TAILS: readonly Tail[] = [
  ['', (events) => ids(newest(events))],
  [' | stats count by host', (events) => counted(events, 'host')],
  [
    ' | stats count as n by host | sort -n, host | head 1',
    (events) => mostFirst(counted(events, 'host', 'n'), 'n').slice(0, 1),
  ],
  [' | stats count by host | head 1', (events) => counted(events, 'host').slice(0, 1)],
  [' | head 1', (events) => ids(newest(events).slice(0, 1))],
  [' | tail 1', (events) => ids(events.slice(0, 1))],
  [' | sort -ms | head 2', (events) => ids(byMs(events).slice(0, 2))],
  [' | sort ms | tail 1', (events) => ids(byMs(events).slice(0, 1))],
  [' | table host level', (events) => newest(events).map(pick(['host', 'level']))],
];

/** The rows of a query, as far as the expected rows have fields. */
function rowsOf(query: string, expected: readonly Fields[]): readonly Fields[] {
  const plan = compileQuery(query);
  const start = Number(EVENTS[0]!['@timestamp']) - 60_000;
  const run = plan.open({ start, end: start + 3_600_000, now: start + 3_600_000, timeZone: 'UTC' });
  for (const event of EVENTS) run.push({ ...event });
  const rows = plan.isAggregate ? run.rows() : run.rows();
  const names = Object.keys(expected[0] ?? { id: '' });
  return rows.map(pick(names));
}

function comparable(query: string, rows: readonly Fields[]): readonly string[] {
  const texts = rows.map((row) => JSON.stringify(Object.entries(row).sort()));
  // Other rows have no order.
  return /sort|top|order|head|tail/.test(query) ? texts : texts.sort();
}

const QUERIES = [
  ...KQL.flatMap(([condition, isWanted]) =>
    KQL_TAILS.map(
      ([steps, rows]) =>
        [`DeviceEvents | where ${condition}${steps}`, rows(EVENTS.filter(isWanted))] as const,
    ),
  ),
  ...SPL.flatMap(([condition, isWanted]) =>
    SPL_TAILS.map(
      ([steps, rows]) => [`index=main | ${condition}${steps}`, rows(EVENTS.filter(isWanted))] as const,
    ),
  ),
];

test('more than 150 queries of KQL and of SPL are tried', () => {
  expect(KQL.length * KQL_TAILS.length).toBeGreaterThan(150);
  expect(SPL.length * SPL_TAILS.length).toBeGreaterThan(150);
});

describe('A query of another language that is fixed returns the rows that it asks for there', () => {
  test.each(QUERIES)('%s', (query, expected) => {
    const fixed = fixQuery(query, {}, ({ severity }) => severity !== 'info');
    expect(
      check(fixed).filter(({ severity }) => severity !== 'info'),
      fixed,
    ).toEqual([]);
    expect(comparable(query, rowsOf(fixed, expected)), fixed).toEqual(comparable(query, expected));
  });
});
