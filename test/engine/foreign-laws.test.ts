import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileQuery, type Fields } from '../../src/engine/index.ts';
import { check, fixQuery } from '../../src/language/index.ts';
import { cases } from '../helpers/laws.ts';

const START = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const SPAN_MS = 300_000;

/** Logons of few accounts in several cases, from more addresses than a chart has series. */
const anyEvent = fc
  .record({
    second: fc.integer({ min: 0, max: 3599 }),
    Account: fc.constantFrom('Admin', 'admin', 'ADMIN', 'root', 'Root', 'svc-a'),
    IpAddress: fc.constantFrom(
      ...Array.from({ length: 25 }, (_, index) => `${index < 20 ? '10.0.0' : '192.168.1'}.${index}`),
    ),
    EventID: fc.constantFrom('4624', '4625'),
    File: fc.constantFrom('C:\\temp\\a.exe', 'C:\\\\temp\\\\a.exe', 'C:\\tmp\\a.exe'),
    expires: fc.constantFrom('2026-01-01', '2026-02-01', '2026-02-01T12:00:00Z'),
  })
  .map(({ second, ...fields }): Fields => {
    const time = String(START + second * 1000);
    return { ...fields, '@timestamp': time, '@rawstring': JSON.stringify(fields) };
  });

const anyEvents = fc
  .array(anyEvent, { minLength: 30, maxLength: 60 })
  .map((events) =>
    events.toSorted((a, b) => time(a) - time(b)).map((event, id) => ({ ...event, id: `${id}` })),
  );

const time = (event: Fields) => Number(event['@timestamp']);
const lower = (text: string | undefined) => text!.toLowerCase();
const isInternal = ({ IpAddress }: Fields) => IpAddress!.startsWith('10.');

type Filter = readonly [condition: string, isWanted: (event: Fields) => boolean];

const KQL: readonly Filter[] = [
  ['SecurityEvent | where EventID == 4625', ({ EventID }) => EventID === '4625'],
  ['SecurityEvent | where Account =~ "admin"', ({ Account }) => lower(Account) === 'admin'],
  ['SecurityEvent | where Account == "admin"', ({ Account }) => Account === 'admin'],
  ['SecurityEvent | where Account has "SVC"', ({ Account }) => Account === 'svc-a'],
  ['SecurityEvent | where ipv4_is_in_range(IpAddress, "10.0.0.0/8")', isInternal],
  [
    'SecurityEvent | where IpAddress startswith "10." and not(EventID == 4624)',
    (event) => isInternal(event) && event.EventID !== '4624',
  ],
  [
    'SecurityEvent | where TimeGenerated >= datetime(2026-01-01T00:30:00Z)',
    (event) => time(event) >= START + HOUR_MS / 2,
  ],
  ['SecurityEvent | where expires == "2026-02-01"', ({ expires }) => expires === '2026-02-01'],
];

/** A search of SPL ignores case. */
const SPL: readonly Filter[] = ['', 'index=win '].flatMap((index): readonly Filter[] => [
  [`${index}EventID=4625`, ({ EventID }) => EventID === '4625'],
  [`${index}Account=Admin`, ({ Account }) => lower(Account) === 'admin'],
  [
    `${index}Account="ROOT" EventID=4625`,
    ({ Account, EventID }) => lower(Account) === 'root' && EventID === '4625',
  ],
  [`${index}Account=adm* OR Account=SVC-A`, ({ Account }) => lower(Account) !== 'root'],
  [`${index}NOT Account=admin`, ({ Account }) => lower(Account) !== 'admin'],
  [
    `${index}Account!=root expires="2026-02-01"`,
    ({ Account, expires }) => lower(Account) !== 'root' && expires === '2026-02-01',
  ],
  [`${index}IpAddress!=10.0.0.0/8 Account=*`, (event) => !isInternal(event)],
  [`${index}File=*\\\\temp\\\\*`, ({ File }) => File!.includes('\\temp\\')],
  [`${index}File IN (*\\\\temp\\\\*, x)`, ({ File }) => File!.includes('\\temp\\')],
  [
    `${index}IpAddress=10.* | search Account=ROOT`,
    (event) => isInternal(event) && lower(event.Account) === 'root',
  ],
]);

/** What follows the filter, and the rows that it makes of the events, which are sorted by time. */
type Tail = readonly [steps: string, rows: (events: readonly Fields[]) => readonly Fields[]];

function grouped(keyOf: (event: Fields) => Fields, rowOf: (group: readonly Fields[]) => Fields) {
  return (events: readonly Fields[]): Fields[] => {
    const groups = new Map<string, Fields[]>();
    for (const event of events) {
      const key = JSON.stringify(keyOf(event));
      groups.set(key, [...(groups.get(key) ?? []), event]);
    }
    return [...groups].map(([key, group]) => ({ ...JSON.parse(key), ...rowOf(group) }));
  };
}

const byAccount = ({ Account }: Fields) => ({ Account: Account! });
const byAddress = ({ IpAddress }: Fields) => ({ IpAddress: IpAddress! });
const distinct = (group: readonly Fields[]) => new Set(group.map(({ IpAddress }) => IpAddress));
const count = (group: readonly Fields[]) => ({ n: String(group.length) });
const times = (group: readonly Fields[]) => ({
  First: group[0]!['@timestamp']!,
  Last: group.at(-1)!['@timestamp']!,
});
const addresses = grouped(byAccount, (group) => ({ n: String(distinct(group).size) }));
const ids = (events: readonly Fields[]) => events.map(({ id }) => ({ id: id! }));
const perSpan = (event: Fields) => ({
  ...byAddress(event),
  start: String(time(event) - (time(event) % SPAN_MS)),
});

const KQL_TAILS: readonly Tail[] = [
  ['', ids],
  ['summarize n = count() by IpAddress', grouped(byAddress, count)],
  ['summarize n = count() by IpAddress, start = bin(TimeGenerated, 5m)', grouped(perSpan, count)],
  [
    'summarize First = min(TimeGenerated), Last = max(TimeGenerated), n = count() by Account',
    grouped(byAccount, (group) => ({ ...times(group), ...count(group) })),
  ],
  [
    'summarize dcount(IpAddress) by Account | where dcount_IpAddress > 3 | project Account',
    (events) =>
      addresses(events)
        .filter(({ n }) => Number(n) > 3)
        .map(byAccount),
  ],
  ['distinct IpAddress', grouped(byAddress, () => ({}))],
  ['sort by TimeGenerated asc, id asc | take 15', (events) => ids(events.slice(0, 15))],
  [
    'where TimeGenerated < datetime(2026-01-01T00:45:00Z)',
    (events) => ids(events.filter((event) => time(event) < START + 0.75 * HOUR_MS)),
  ],
];

const SPL_TAILS: readonly Tail[] = [
  ['stats count as n by IpAddress', grouped(byAddress, count)],
  ['stats min(_time) as First max(_time) as Last by Account', grouped(byAccount, times)],
  [
    'stats dc(IpAddress) as n by Account | where n > 3',
    (events) => addresses(events).filter(({ n }) => Number(n) > 3),
  ],
  [
    'where _time > now()-30*60 | stats count as n by IpAddress',
    (events) => grouped(byAddress, count)(events.filter((event) => time(event) > START + HOUR_MS / 2)),
  ],
  ['dedup IpAddress | table IpAddress', grouped(byAddress, () => ({}))],
  [
    'stats count as n by Account | where n > 2 | sort - n | fields Account',
    (events) =>
      grouped(
        byAccount,
        count,
      )(events)
        .filter(({ n }) => Number(n) > 2)
        .map(byAccount),
  ],
  [
    'eval Account=lower(Account) | stats count as n by Account',
    grouped(({ Account }) => ({ Account: lower(Account) }), count),
  ],
];

function rowsOf(query: string, events: readonly Fields[], names: readonly string[]): readonly Fields[] {
  const end = START + HOUR_MS;
  const run = compileQuery(query).open({ start: START, end, now: end, timeZone: 'UTC' });
  for (const event of events) run.push({ ...event });
  return run.rows().map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? ''])));
}

function sorted(rows: readonly Fields[]): readonly string[] {
  return rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
}

const QUERIES = [
  ...KQL.flatMap((filter) => KQL_TAILS.map((tail) => ({ filter, tail }))),
  ...SPL.flatMap((filter) => SPL_TAILS.map((tail) => ({ filter, tail }))),
];

test('a fixed query returns the rows of the original for any events', () => {
  fc.assert(
    fc.property(fc.constantFrom(...QUERIES), anyEvents, ({ filter, tail }, events) => {
      const query = [filter[0], tail[0]].filter((part) => part !== '').join(' | ');
      const fixed = fixQuery(query, {}, ({ severity }) => severity !== 'info');
      expect(
        check(fixed).filter(({ severity }) => severity !== 'info'),
        fixed,
      ).toEqual([]);
      const expected = tail[1](events.filter(filter[1]));
      const names = Object.keys(expected[0] ?? { id: '' });
      expect(sorted(rowsOf(fixed, events, names)), `${query} is fixed to ${fixed}`).toEqual(sorted(expected));
    }),
    cases(25),
  );
});

/** True, false, or neither. */
type Truth = boolean | undefined;
type Condition = readonly [text: string, truth: (event: Fields) => Truth];

const and = (a: Truth, b: Truth) => (a === false || b === false ? false : a && b);
const or = (a: Truth, b: Truth) => (b === true || a === false ? b : a);
const not = (a: Truth) => (a === undefined ? undefined : !a);

/** Conditions about two fields: in KQL, an absent string is empty. */
function anyCondition(equals: string, isEmpty: boolean) {
  const known = (value: string | undefined, is: (value: string) => boolean) =>
    value === undefined ? undefined : is(value);
  const leaves: readonly Condition[] = [
    [`type ${equals} 'web'`, ({ type }) => known(isEmpty ? (type ?? '') : type, (one) => one === 'web')],
    ['status >= 404', ({ status }) => known(status, (one) => Number(one) >= 404)],
  ];
  return fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom(...leaves),
      tie('condition').map(([text, truth]): Condition => [`not (${text})`, (event) => not(truth(event))]),
      fc
        .tuple(tie('condition'), tie('condition'), fc.boolean())
        .map(
          ([[a, isA], [b, isB], isAnd]): Condition => [
            `(${a}) ${isAnd ? 'and' : 'or'} (${b})`,
            (event) => (isAnd ? and : or)(isA(event), isB(event)),
          ],
        ),
    ),
  })).condition;
}

const EVENTS: readonly Fields[] = ['web', 'db', undefined].flatMap((type) =>
  ['200', '500', undefined].map((status, id) => ({
    id: `${type} ${id}`,
    '@timestamp': String(START),
    ...(type && { type }),
    ...(status && { status }),
  })),
);

test.each([
  ['SQL', 'select * from logs where ', anyCondition('=', false)],
  ['KQL', 'Logs | where ', anyCondition('==', true)],
])(
  'in %s, a condition that is neither true nor false matches no event, in any "not"',
  (_name, start, any) => {
    fc.assert(
      fc.property(any, ([text, truth]) => {
        const fixed = fixQuery(start + text, {}, ({ severity }) => severity !== 'info');
        const wanted = ids(EVENTS.filter((event) => truth(event) === true));
        expect(sorted(rowsOf(fixed, EVENTS, ['id'])), `${text} is fixed to ${fixed}`).toEqual(sorted(wanted));
      }),
      cases(50),
    );
  },
);
