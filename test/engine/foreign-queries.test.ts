import { describe, expect, test } from 'vitest';
import { compileQuery, type Fields } from '../../src/engine/index.ts';
import { check, fixQuery } from '../../src/language/index.ts';
import { lawCases } from '../helpers/laws.ts';
import { EVENTS, HOSTILE_EVENTS } from './mistake-rows.ts';

type Filter = readonly [condition: string, isWanted: (event: Fields) => boolean];
/** What follows the filter, and the rows that it makes of the events: newest first, as other systems return them. */
type Tail = readonly [steps: string, rows: (events: readonly Fields[]) => readonly Fields[]];

const has = (pattern: RegExp) => (text: string | undefined) => pattern.test(text ?? '');
const number = (text: string | undefined) => Number(text);
const isProblem = (level: string | undefined) => level === 'error' || level === 'warn';

/** Conditions of `where` in KQL, in which a string is never absent, only empty. */
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
    ({ level, ms }) => isProblem(level) && number(ms) > 100,
  ],
  ['level =~ "ERROR"', ({ level }) => has(/^error$/i)(level)],
  ['level !~ "ERROR"', ({ level }) => !has(/^error$/i)(level)],
  ['level != "info" and not(msg has "found")', ({ level, msg }) => level !== 'info' && !has(/found/i)(msg)],
  ['msg contains "TIME"', ({ msg }) => has(/time/i)(msg)],
  ['msg !contains "TIME" or ms >= 900', ({ msg, ms }) => !has(/time/i)(msg) || number(ms) >= 900],
  ['msg has "Timeout"', ({ msg }) => has(/timeout/i)(msg)],
  ['msg has "time"', () => false],
  ['msg startswith "DB"', ({ msg }) => has(/^db/i)(msg)],
  [
    'msg endswith "OUT" and host startswith "web"',
    ({ msg, host }) => has(/out$/i)(msg) && has(/^web/i)(host),
  ],
  ['msg startswith_cs "db"', ({ msg }) => has(/^db/)(msg)],
  ['msg has_any ("db", "FOUND")', ({ msg }) => has(/db|found/i)(msg)],
  ['msg has_all ("DB", "timeout")', ({ msg }) => has(/db timeout/i)(msg)],
  ['level in ("error", "warn")', ({ level }) => isProblem(level)],
  [
    'level in~ ("ERROR", "Warn") and status < 503',
    ({ level, status }) => isProblem(level!.toLowerCase()) && number(status) < 503,
  ],
  ['level !in ("error", "warn")', ({ level }) => !isProblem(level)],
  ['status between (400 .. 500)', ({ status }) => status === '404' || status === '500'],
  [
    'status between (400 .. 500) and level == "error" or host == "db"',
    ({ status, level, host }) => (status === '500' && level === 'error') || host === 'db',
  ],
  ['msg matches regex "^\\\\w+ time"', ({ msg }) => has(/^\w+ time/)(msg)],
  ['msg matches regex @"^\\w+ time"', ({ msg }) => has(/^\w+ time/)(msg)],
  ['isempty(user)', ({ user }) => user === ''],
  ['isnotempty(user) and ms < 50', ({ user, ms }) => user !== '' && number(ms) < 50],
  ['toint(status) >= 500', ({ status }) => number(status) >= 500],
  ['tolower(level) == "error" or ms == 10', ({ level, ms }) => has(/^error$/i)(level) || ms === '10'],
  ['strlen(msg) > 10', ({ msg }) => msg!.length > 10],
  [
    'host == @"web-2" && ms > 50 || status == 404',
    ({ host, ms, status }) => (host === 'web-2' && number(ms) > 50) || status === '404',
  ],
  ['Timestamp > datetime(2026-01-01) and level == "error"', ({ level }) => level === 'error'],
];

/** Conditions of `where` in SPL, which are not true without the field, and of `search`, which ignores case. */
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
    ({ level, ms }) => isProblem(level) && number(ms) > 100,
  ],
  ['where NOT level="info"', ({ level }) => level !== undefined && level !== 'info'],
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
  ['where len(msg)>10', ({ msg = '' }) => msg.length > 10],
  ['where ms/10 > 20', ({ ms }) => number(ms) > 200],
  ['where lower(level)="error"', ({ level }) => has(/^error$/i)(level)],
  ['where level IN ("error", "warn")', ({ level }) => isProblem(level)],
  ['search level=error', ({ level }) => has(/^error$/i)(level)],
  [
    'search level=error OR level=warn status=404',
    ({ level, status }) => has(/^(?:error|warn)$/i)(level) && status === '404',
  ],
  [
    'search level=error host=web-1 OR host=db',
    ({ level, host }) => has(/^error$/i)(level) && has(/^(?:web-1|db)$/i)(host),
  ],
  ['search NOT level=info', ({ level }) => level !== 'info'],
  [
    'search (level=error AND host=web-1) OR level=warn',
    ({ level, host }) => (has(/^error$/i)(level) && has(/^web-1$/i)(host)) || has(/^warn$/i)(level),
  ],
  ['search msg="*time*" host=web-2', ({ msg, host }) => has(/time/i)(msg) && has(/^web-2$/i)(host)],
  ['search timeout', ({ msg }) => has(/timeout/i)(msg)],
  ['search level=error timeout', ({ msg, level }) => has(/timeout/i)(msg) && has(/^error$/i)(level)],
  ['search status>=500', ({ status }) => number(status) >= 500],
  ['regex msg="^\\w+ time"', ({ msg }) => has(/^\w+ time/)(msg)],
  ['regex msg!="time"', ({ msg }) => !has(/time/)(msg)],
  [
    'eval slow=if(ms>100 AND level="error" OR host="db","yes","no") | where slow="yes"',
    ({ ms, level, host }) => (number(ms) > 100 && level === 'error') || host === 'db',
  ],
  ['eval up=upper(level) | where up="ERROR"', ({ level }) => has(/^error$/i)(level)],
  ['rex field=msg "(?<first>\\w+) timeout" | where first="db"', ({ msg }) => has(/db timeout/)(msg)],
];

const newest = (events: readonly Fields[]) => events.toReversed();
const pick = (names: readonly string[]) => (event: Fields) =>
  Object.fromEntries(names.filter((name) => event[name] !== undefined).map((name) => [name, event[name]!]));

/** Events without the key are in no group. */
function counted(events: readonly Fields[], key: string, as = '_count'): Fields[] {
  const keys = [...new Set(events.flatMap((event) => event[key] ?? []))].sort();
  return keys.map((value) => ({
    [key]: value,
    [as]: String(events.filter((event) => event[key] === value).length),
  }));
}

function mostFirst(rows: readonly Fields[], name: string): Fields[] {
  return rows.toSorted((a, b) => number(b[name]) - number(a[name]) || (a.host! < b.host! ? -1 : 1));
}

/** The slowest first, and events without a time last. */
const byMs = (events: readonly Fields[]) => {
  const msOf = ({ ms }: Fields) => (ms === undefined ? Number.NEGATIVE_INFINITY : number(ms));
  return events.toSorted((a, b) => (msOf(a) < msOf(b) ? 1 : msOf(a) > msOf(b) ? -1 : 0));
};
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
  // There, events without the field are last; here, they are first.
  [
    ' | where isnotnull(ms) | sort ms | tail 1',
    (events) => ids(byMs(events.filter(({ ms }) => ms)).slice(0, 1)),
  ],
  [' | table host level', (events) => newest(events).map(pick(['host', 'level']))],
];

interface Language {
  readonly start: string;
  readonly filters: readonly Filter[];
  readonly tails: readonly Tail[];
  /** An event as its language sees it. */
  readonly seen: (event: Fields) => Fields;
}

const TEXTS: Fields = { level: '', host: '', user: '', ip: '', msg: '' };
const LANGUAGES: readonly Language[] = [
  {
    start: 'DeviceEvents | where ',
    filters: KQL,
    tails: KQL_TAILS,
    seen: (event) => ({ ...TEXTS, ...event }),
  },
  { start: 'index=main | ', filters: SPL, tails: SPL_TAILS, seen: (event) => event },
];

const [WITHOUT_FIELDS = {}, EMPTY = {}, CAPITALS = {}] = HOSTILE_EVENTS;
/** A number is never an empty text there. */
const { ms: _, status: __, ...EMPTY_TEXTS } = EMPTY;
/** Events without fields and with empty ones are one group in KQL, and two here. */
const HOSTILE = [
  [WITHOUT_FIELDS, CAPITALS],
  [EMPTY_TEXTS, CAPITALS],
];

interface Case {
  readonly query: string;
  readonly events: readonly Fields[];
  readonly language: Language;
  readonly expected: readonly Fields[];
}

function casesOf(events: readonly Fields[]): readonly (readonly [query: string, one: Case])[] {
  return LANGUAGES.flatMap((language) =>
    language.filters.flatMap(([condition, isWanted]) =>
      language.tails.map(([steps, rows]) => {
        const query = `${language.start}${condition}${steps}`;
        const wanted = events.map(language.seen).filter(isWanted);
        return [query, { query, events, language, expected: rows(wanted) }] as const;
      }),
    ),
  );
}

/** The rows of a query, as far as the expected rows have fields. */
function rowsOf(query: string, { events, language, expected }: Case): readonly Fields[] {
  const plan = compileQuery(query);
  const start = Number(EVENTS[0]!['@timestamp']) - 60_000;
  const run = plan.open({ start, end: start + 3_600_000, now: start + 3_600_000, timeZone: 'UTC' });
  for (const event of events) run.push({ ...event });
  const names = Object.keys(expected[0] ?? { id: '' });
  return run.rows().map((row) => pick(names)(language.seen(row)));
}

function comparable(query: string, rows: readonly Fields[]): readonly string[] {
  const texts = rows.map((row) => JSON.stringify(Object.entries(row).sort()));
  // Other rows have no order.
  return /sort|top|order|head|tail/.test(query) ? texts : texts.sort();
}

const ORDINARY = casesOf(EVENTS);

test('more than 150 queries of KQL and of SPL are tried', () => {
  for (const { filters, tails } of LANGUAGES) expect(filters.length * tails.length).toBeGreaterThan(150);
});

describe('A query of another language that is fixed returns the rows that it asks for there', () => {
  test.each(lawCases(ORDINARY, 160))('%s', (query, one) => {
    const fixed = fixQuery(query, {}, ({ severity }) => severity !== 'info');
    expect(
      check(fixed).filter(({ severity }) => severity !== 'info'),
      fixed,
    ).toEqual([]);
    expect(comparable(query, rowsOf(fixed, one)), fixed).toEqual(comparable(query, one.expected));
  });

  test.each(lawCases(HOSTILE.flatMap(casesOf), 40))(
    'also of events without fields, with empty texts and in capitals: %s',
    (query, one) => {
      const fixed = fixQuery(query, {}, ({ severity }) => severity !== 'info');
      expect(comparable(query, rowsOf(fixed, one)), fixed).toEqual(comparable(query, one.expected));
    },
  );
});
