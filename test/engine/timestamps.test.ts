import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../helpers/laws.ts';
import { refusalOf, rowsOf } from './run-query.ts';

const zones = fc.constantFrom('UTC', '+05:30', '-08:00');
/** 1970 to 2100. */
const moments = fc.integer({ min: 0, max: 4_102_444_800_000 });

/** A format for `formatTime` and for `parseTimestamp`, and the precision that is lost, in milliseconds. */
const FORMS: readonly (readonly [written: string, read: string, precisionMs: number])[] = [
  ['%Y-%m-%dT%H:%M:%S.%L%z', "yyyy-MM-dd'T'HH:mm:ss.SSSXX", 1],
  ['%d/%b/%Y:%H:%M:%S %z', 'dd/MMM/yyyy:HH:mm:ss Z', 1000],
  ['%A %B %e, %Y %I:%M %p %z', 'EEEE MMMM d, yyyy hh:mm a Z', 60_000],
  ['%Y%m%d%H%M%S%L%z', 'yyyyMMddHHmmssSSSX', 1],
  ['%Y%m%d%H%M%z', 'yMMddHHmmX', 60_000],
  ['%Y %j %k:%M:%S %z', 'yyyy DDD H:mm:ss X', 1000],
  ['%s.%L', 'seconds', 1],
  ['%Q', 'millis', 1],
];

test.each(FORMS)(
  'formatTime() with %s writes times that parseTimestamp() reads with %s',
  (written, read, precisionMs) => {
    fc.assert(
      fc.property(moments, zones, (moment, zone) => {
        const query = `t := formatTime("${written}", field=m, timezone="${zone}", unit=milliseconds) | parseTimestamp("${read}", field=t, as=r, caseSensitive=false)`;
        const [row] = rowsOf(query, [{ m: String(moment) }]);
        expect(row?.r).toBe(String(Math.floor(moment / precisionMs) * precisionMs));
      }),
      cases(50),
    );
  },
);

test('findTimestamp() finds the output of formatTime() after other text', () => {
  const forms = fc.constantFrom(
    '%Y-%m-%dT%H:%M:%S%z',
    '%Y/%m/%d %H:%M:%S %z',
    '%d/%b/%Y:%H:%M:%S %z',
    '%a %b %e %H:%M:%S %z %Y',
    '%b %d %Y %H:%M:%S %z',
    '%m/%d/%Y %r %z',
  );
  const before = fc.constantFrom('', '<13>', 'level=info time=', '10.0.0.1 - - [', '{"id":12,"ts":"');
  fc.assert(
    fc.property(moments, zones, forms, before, (moment, zone, form, text) => {
      const query = `t := formatTime("%q${form}", field=m, timezone="${zone}", unit=milliseconds)`.replace(
        '%q',
        '',
      );
      const [written] = rowsOf(query, [{ m: String(moment) }]);
      const [row] = rowsOf('findTimestamp(t, as=r)', [{ t: `${text}${written?.t} rest 12` }]);
      expect(row?.r).toBe(String(Math.floor(moment / 1000) * 1000));
    }),
    cases(),
  );
});

test('findTimestamp() finds seconds between other words', () => {
  expect(rowsOf('findTimestamp(t, as=r)', [{ t: 'at 1744444800 done' }])).toMatchObject([
    { r: '1744444800000' },
  ]);
});

test('findTimestamp() and parseTimestamp() accept any string', () => {
  const pieces = fc.array(
    fc.constantFrom('2023', '06', '15', '-', '/', ':', ' ', 'T', 'Z', '+', 'Jun', 'PM', '1744444800', '.'),
    {
      maxLength: 20,
    },
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        pieces.map((parts) => parts.join('')),
      ),
      (t) => {
        const [row] = rowsOf(
          'findTimestamp(t, as=a) | parseTimestamp("y-M-d H:m:s[.S][ X]", field=t, as=b)',
          [{ t }],
        );
        for (const name of ['a', 'b']) expect(row?.[name] ?? '0').toMatch(/^\d+$/);
      },
    ),
    cases(),
  );
});

test('a format with many brackets is rejected', () => {
  const format = `${'['.repeat(10_000)}dd/MM${']'.repeat(10_000)}`;
  expect(refusalOf(`parseTimestamp("${format}", field=a)`).message).toContain(
    'brackets are nested too deeply',
  );
});
