import { events } from '../run-query.ts';
import type { GoldenCases } from './golden-case.ts';

/** 2023-06-15 14:03:45.123 UTC, a Thursday. */
const TIME = '1686837825123';
const NOW = { now: 1750000000000 };

/** An event with the time zone of Copenhagen, two hours ahead. */
const DANISH = { '@timestamp': TIME, '@timezone': 'Europe/Copenhagen' };
const PLAIN = { '@timestamp': TIME };

/** The cases of `time:<name>`: in UTC, and in Tokyo in the last hour of 2020 there. */
function partCases(name: string, inUtc: string, inTokyo: string) {
  return [
    [
      `time:${name}()`,
      [PLAIN, { a: '1' }, { '@timestamp': 'x' }],
      [{ '@timestamp': 'x' }, { a: '1' }, { ...PLAIN, [`_${name}`]: inUtc }],
    ],
    [
      `time:${name}(field=t, timezone="Asia/Tokyo", as=r)`,
      // 2020-12-31 23:59:59.999 in Tokyo, nine hours ahead of UTC.
      [{ t: '1609426799999', '@timezone': 'America/New_York' }],
      [{ t: '1609426799999', '@timezone': 'America/New_York', r: inTokyo }],
    ],
    [
      `r := time:${name}(t, timezoneField=z) | select(r)`,
      [{ t: '1609426799999', z: 'Asia/Tokyo' }],
      [{ r: inTokyo }],
    ],
    [
      `time:${name}(t, timezoneField=z) | select(_${name})`,
      [{ t: TIME, z: 'Mars' }],
      [{ [`_${name}`]: inUtc }],
    ],
  ] as const;
}

export const timeCases: GoldenCases = {
  'time:dayOfMonth': partCases('dayOfMonth', '15', '31'),
  'time:dayOfWeek': partCases('dayOfWeek', '4', '4'),
  'time:dayOfWeekName': partCases('dayOfWeekName', 'Thursday', 'Thursday'),
  'time:dayOfYear': partCases('dayOfYear', '166', '366'),
  'time:hour': [
    ...partCases('hour', '14', '23'),
    ['time:hour()', [DANISH], [{ ...DANISH, _hour: '16' }]],
    ['time:hour(timezone="+05:30")', [DANISH], [{ ...DANISH, _hour: '19' }]],
    ['test(time:hour() == 14)', [PLAIN, { '@timestamp': '0' }], [PLAIN]],
  ],
  'time:millisecond': partCases('millisecond', '123', '999'),
  'time:minute': partCases('minute', '3', '59'),
  'time:month': partCases('month', '6', '12'),
  'time:monthName': partCases('monthName', 'June', 'December'),
  'time:second': partCases('second', '45', '59'),
  'time:weekOfYear': [
    ...partCases('weekOfYear', '24', '53'),
    // Saturday 2 January 2021 belongs to the last week of 2020, Monday 4 January to the first of 2021.
    [
      'time:weekOfYear()',
      events('@timestamp=1609545600000', '@timestamp=1609718400000'),
      events('@timestamp=1609718400000 _weekOfYear=1', '@timestamp=1609545600000 _weekOfYear=53'),
    ],
  ],
  'time:year': partCases('year', '2023', '2020'),
  parseTimestamp: [
    [
      'parseTimestamp(field=t)',
      events('t=2023-06-15T14:03:45.123Z', 't=2023-06-15T14:03:45+02:00', 'a=1'),
      events(
        'a=1',
        't=2023-06-15T14:03:45+02:00 @timestamp=1686830625000 @timezone=+02:00',
        `t=2023-06-15T14:03:45.123Z @timestamp=${TIME} @timezone=Z`,
      ),
      NOW,
    ],
    [
      'parseTimestamp(field=t)',
      events('t=15.6.2023'),
      [
        {
          t: '15.6.2023',
          '@error': 'true',
          '@error_msg': `The field "t" contains no timestamp in the format yyyy-MM-dd'T'HH:mm:ss[.SSSSSSSSS]XXXXX.`,
        },
      ],
    ],
    ['parseTimestamp(field=t, addErrors=false)', events('t=x'), events('t=x')],
    [
      'parseTimestamp("yyyy-MM-dd HH:mm:ss", field=t)',
      [{ t: '2023-06-15 14:03:45' }],
      [
        {
          t: '2023-06-15 14:03:45',
          '@error': 'true',
          '@error_msg':
            'The field "t" contains no timestamp in the format yyyy-MM-dd HH:mm:ss. It has no time zone: set "timezone".',
        },
      ],
    ],
    [
      'parseTimestamp("yyyy-MM-dd HH:mm:ss", field=t, timezone="Europe/Copenhagen", as=r, timezoneAs=z)',
      [{ t: '2023-06-15 14:03:45' }],
      [{ t: '2023-06-15 14:03:45', r: '1686830625000', z: 'Europe/Copenhagen' }],
    ],
    // The zone of the call overrides the one in the text.
    [
      'r := parseTimestamp(field=t, timezone=UTC) | select(r)',
      events('t=2023-06-15T14:03:45+02:00'),
      events('r=1686837825000'),
    ],
    [
      'parseTimestamp(field=t, timezoneField=z, as=r) | select(r)',
      events('t=2023-06-15T14:03:45Z z=-02:00', 't=2023-06-15T14:03:45Z z=Mars', 't=2023-06-15T14:03:45Z'),
      events('r=1686837825000', 'r=1686837825000', 'r=1686845025000'),
    ],
    [
      'parseTimestamp(seconds, field=t)',
      events('t=1686837825', 't=1686837825.123456789'),
      events(
        `t=1686837825.123456789 @timestamp=${TIME} @timestamp.nanos=456789 @timezone=Z`,
        't=1686837825 @timestamp=1686837825000 @timezone=Z',
      ),
    ],
    [
      'parseTimestamp(format="unixTimeMillis", field=t)',
      [{ t: TIME, '@timestamp.nanos': '7' }],
      [{ t: TIME, '@timestamp': TIME, '@timestamp.nanos': '0', '@timezone': 'Z' }],
    ],
    [
      'parseTimestamp(nanos, field=t, as=r, timezoneAs=z)',
      events('t=1686837825123000005'),
      events(`t=1686837825123000005 r=${TIME} r.nanos=5 z=Z`),
    ],
    // Without a year: at most seven days ahead of now, which is 15 June 2025.
    [
      'parseTimestamp("MMM [ ]d HH:mm:ss", field=t, timezone=UTC) | formatTime("%F", as=r) | select(r)',
      [{ t: 'Jun  5 10:00:00' }, { t: 'Jun 21 10:00:00' }, { t: 'Jul 1 10:00:00' }, { t: 'Feb 29 00:00:00' }],
      events('r=2024-02-29', 'r=2024-07-01', 'r=2025-06-21', 'r=2025-06-05'),
      NOW,
    ],
    [
      'parseTimestamp("dd/MM/yyyy hh:mm:ss a", field=t, timezone=UTC) | formatTime("%T", as=r) | select(r)',
      [{ t: '15/06/2023 02:03:45 PM' }, { t: '15/06/2023 12:03:45 AM' }, { t: '15/06/2023 12:03:45 PM' }],
      events('r=12:03:45', 'r=00:03:45', 'r=14:03:45'),
    ],
    [
      'parseTimestamp("M/d/yy", field=t, timezone=UTC, as=r) | select(r)',
      events('t=6/5/23'),
      events('r=1685923200000'),
    ],
    [
      'parseTimestamp("yyyyMMddHHmmssSSS", field=t, timezone=UTC, as=r) | select(r)',
      events('t=20230615140345123'),
      events(`r=${TIME}`),
    ],
    [
      'parseTimestamp("MM/dd/yyHH:mm:ss", field=t, timezone=UTC, as=r) | select(r)',
      events('t=06/15/2314:03:45'),
      events('r=1686837825000'),
    ],
    [
      'parseTimestamp("EEE, dd MMM yyyy HH:mm:ss zzz", field=t, as=r) | select(r)',
      [{ t: 'Thu, 15 Jun 2023 14:03:45 GMT' }, { t: 'Thu, 15 Jun 2023 14:03:45 CET' }],
      events('r=1686830625000', 'r=1686837825000'),
    ],
    [
      'parseTimestamp("d MMM yyyy", field=t, timezone=UTC, as=r, caseSensitive=false, addErrors=false) | select(r)',
      [{ t: '5 JUNE 2023' }, { t: '31 jun 2023' }],
      [{}, { r: '1685923200000' }],
    ],
    [
      'parseTimestamp("d MMM yyyy", field=t, timezone=UTC, as=r, addErrors=false)',
      [{ t: '5 jun 2023' }],
      [{ t: '5 jun 2023' }],
    ],
    [
      "parseTimestamp(\"yyyy-DDD kk 'o''clock'\", field=t, timezone=UTC, as=r) | select(r)",
      [{ t: "2023-166 24 o'clock" }],
      events('r=1686787200000'),
    ],
  ],
  findTimestamp: [
    [
      'findTimestamp()',
      [{ '@rawstring': '2023-06-15T14:03:45.123Z hello' }],
      [{ '@rawstring': '2023-06-15T14:03:45.123Z hello', '@timestamp': TIME, '@timezone': 'Z' }],
    ],
    [
      'findTimestamp(field=t, as=r, timezoneAs=z) | select([r, z])',
      [
        { t: 'x 2023-06-15 14:03:45,123 INFO y' },
        { t: '2023/06/15 14:03 +02:00' },
        { t: '20230615T140345-0700' },
        { t: '10.0.0.1 - - [15/Jun/2023:14:03:45 +0200] "GET' },
        { t: 'Thu, 15 Jun 2023 14:03:45 GMT' },
        { t: 'Thu Jun 15 14:03:45 UTC 2023' },
        { t: 'June 15, 2023 14:03' },
        { t: '6/15/2023 2:03:45 PM' },
        { t: '06/15/2023, 14:03:45' },
        { t: '15.06.2023 14:03:45' },
        { t: '<13>Jun 15 14:03:45 host: 4' },
      ],
      events(
        'r=1749996225000 z=Z',
        'r=1686837825000 z=Z',
        'r=1686837825000 z=Z',
        'r=1686837825000 z=Z',
        'r=1686837780000 z=Z',
        'r=1686837825000 z=Z',
        'r=1686837825000 z=Z',
        'r=1686830625000 z=+02:00',
        'r=1686863025000 z=-07:00',
        'r=1686830580000 z=+02:00',
        `r=${TIME} z=Z`,
      ),
      NOW,
    ],
    [
      'findTimestamp(field=t, as=r) | select([r, r.nanos])',
      [
        { t: '1744444800' },
        { t: '1744444800.5' },
        { t: 'a=1744444800123' },
        { t: '1744444800123456' },
        { t: '1744444800123456789' },
      ],
      events(
        'r=1744444800123 r.nanos=456789',
        'r=1744444800123 r.nanos=456000',
        'r=1744444800123',
        'r=1744444800500',
        'r=1744444800000',
      ),
    ],
    [
      'findTimestamp(t, timezone="Europe/Copenhagen", as=r) | findTimestamp(t, timezoneField=z, as=s) | select([r, s])',
      [{ t: '2023-06-15 14:03:45', z: '-01:00' }],
      events('r=1686830625000 s=1686841425000'),
    ],
    [
      'findTimestamp(t)',
      [
        { t: '1.2.3.4 id 12345' },
        { t: `${' '.repeat(120)}2023-06-15T14:03:45Z` },
        { t: '2023-13-45 10:00:00', a: '1' },
        { a: '1' },
      ],
      [
        { a: '1' },
        {
          t: '2023-13-45 10:00:00',
          a: '1',
          '@error': 'true',
          '@error_msg': 'The field "t" contains no timestamp in a known format.',
        },
        {
          t: `${' '.repeat(120)}2023-06-15T14:03:45Z`,
          '@error': 'true',
          '@error_msg': 'The field "t" contains no timestamp in a known format.',
        },
        {
          t: '1.2.3.4 id 12345',
          '@error': 'true',
          '@error_msg': 'The field "t" contains no timestamp in a known format.',
        },
      ],
    ],
    ['findTimestamp(t, addErrors=false)', events('t=x'), events('t=x')],
  ],
};
