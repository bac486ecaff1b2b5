import { describe, expect, it } from 'vitest';
import { resolveQueryInput } from '../../../src/client/query/query-options.ts';
import { LogOptionsException } from '../../../src/core/errors.ts';

const resolve = (options: object, queryString = '*') => resolveQueryInput('op', queryString, options);

describe('resolveQueryInput()', () => {
  it('omits options that are not set', () => {
    expect(resolve({}, '')).toEqual({ queryString: '' });
    expect(resolve({ start: undefined, isLive: undefined })).toEqual({ queryString: '*' });
  });

  it('accepts a Date for every time', () => {
    const time = new Date('2026-03-01T12:00:00Z');
    const ms = time.getTime();
    expect(
      resolve({
        start: time,
        end: time,
        ingestStart: time,
        ingestEnd: time,
        around: { eventId: 'x', timestamp: time },
      }),
    ).toEqual({
      queryString: '*',
      start: ms,
      end: ms,
      ingestStart: ms,
      ingestEnd: ms,
      around: { eventId: 'x', timestamp: ms },
    });
  });

  it('accepts every option, and rawData takes precedence', () => {
    expect(
      resolve({
        start: 1,
        end: '2 h',
        useIngestTime: false,
        ingestStart: '3 days',
        ingestEnd: 5,
        around: { eventId: 'x', timestamp: 1, numberOfEventsBefore: 3 },
        timeZoneOffsetMinutes: -90,
        timeZone: 'Europe/Copenhagen',
        arguments: { a: 'b', c: undefined, n: 500 },
        numbers: ['_count'],
        rawData: { end: 'now', noResultUntilDone: true },
        headers: {},
        signal: AbortSignal.timeout(1),
        timeoutMs: 5,
      }),
    ).toEqual({
      queryString: '*',
      start: 1,
      end: 'now',
      useIngestTime: false,
      ingestStart: '3 days',
      ingestEnd: 5,
      around: { eventId: 'x', timestamp: 1, numberOfEventsBefore: 3 },
      timeZoneOffsetMinutes: -90,
      timeZone: 'Europe/Copenhagen',
      arguments: { a: 'b', n: '500' },
      noResultUntilDone: true,
    });
  });

  it('sends ISO 8601 with an offset as milliseconds', () => {
    const around = { eventId: 'x', timestamp: '2026-11-20T10:00:00.5Z' as never };
    const options = { start: '2026-11-20T10:00:00Z', end: '2026-11-20T10:00:00-01:00', around };
    expect(resolveQueryInput('op', 'x', options)).toMatchObject({
      start: Date.UTC(2026, 10, 20, 10),
      end: Date.UTC(2026, 10, 20, 11),
      around: { timestamp: Date.UTC(2026, 10, 20, 10, 0, 0, 500) },
    });
  });

  it.each(['2026-11-20 10:00:00+00:00', '2026-11-20T10:00:00+0000', '2026-11-20 11:00:00.000000+01:00'])(
    'sends %s, as Python writes it, as milliseconds',
    (time) => {
      const at = Date.UTC(2026, 10, 20, 10);
      expect(resolveQueryInput('op', 'x', { start: time, end: time })).toMatchObject({ start: at, end: at });
    },
  );

  it.each([
    [{ starts: 1 }, 'op has no option "starts". Did you mean "start"?'],
    [{ from: '1h' }, 'op has no option "from". Did you mean "start"?'],
    [{ since: '1h' }, 'op has no option "since". Did you mean "start"?'],
    [{ to: 'now' }, 'op has no option "to". Did you mean "end"?'],
    ['1h' as never, 'op: the options must be an object (got "1h"). Name it, as in { start: "1h" }.'],
    [{ start: 1.5 }, '"start" must be whole epoch milliseconds'],
    [{ start: 1_770_109_200 }, '(got 1770109200). It looks like seconds: multiply it by 1000.'],
    [{ end: '1770109200' }, 'It looks like seconds: multiply it by 1000.'],
    [{ start: 1_770_109_200_000_000 }, 'It looks like microseconds: divide it by 1000.'],
    [{ end: '1770109200000000' }, 'It looks like microseconds: divide it by 1000.'],
    [{ start: 1_770_109_200.5 }, '(got 1770109200.5). It looks like seconds: multiply it by 1000.'],
    [{ start: new Date('bad') }, '(got an invalid Date)'],
    [{ start: '-24h' }, '"start" counts back from now: write "24h" (got "-24h")'],
    [{ end: '24 hours ago' }, '"end" counts back from now: write "24 hours" (got "24 hours ago")'],
    [{ start: '1H' }, '"start" has lower-case units: write "1h" (got "1H")'],
    [{ isLive: true, start: '1 Hours' }, '"start" has lower-case units: write "1 hours" (got "1 Hours")'],
    [{ start: '-1H' }, '"start" counts back from now: write "1h" (got "-1H")'],
    [{ start: '1M' }, '"start" must be whole epoch milliseconds'],
    [{ start: '' }, '"start" must be'],
    [{ end: new Date('never') }, '"end" must be whole epoch milliseconds, a Date, ISO 8601 with an offset'],
    [
      { start: '2026-11-20T10:00:00' },
      '"start" must be whole epoch milliseconds, a Date, ISO 8601 with an offset',
    ],
    [{ start: '2026-11-20T10:00:00.123456' }, '.123456"). Add its offset: "Z" for UTC, or such as "+01:00".'],
    [{ start: null }, '(got null). Omit it, or pass undefined.'],
    [{ arguments: null }, 'an object of strings (got null). Omit it, or pass undefined.'],
    [{ arguments: { n: null } }, 'only strings and numbers (got null for "n"). Omit it, or pass undefined.'],
    [{ end: '2026-11-20' }, '(got "2026-11-20"). Add a time and an offset: "2026-11-20T00:00:00Z" for UTC.'],
    [{ start: '1970-01-01T00:00:02Z', end: 1 }, '"start" (2000) is after "end" (1)'],
    [
      { around: { eventId: 'x', timestamp: new Date('never') } },
      '"timestamp" must be whole epoch milliseconds',
    ],
    [{ around: { eventId: 'x', timestamp: 1_795_000_000 } }, 'It looks like seconds: multiply it by 1000.'],
    [{ start: new Date(2), end: new Date(1) }, '"start" (2) is after "end" (1)'],
    [
      { isLive: true, start: new Date(5) },
      'a live query needs a relative "start" without anchors, such as "10 minutes" (got a Date).',
    ],
    [{ start: 'abc' }, '"start" must be whole epoch milliseconds, a Date, ISO 8601 with an offset'],
    [{ isLive: true, start: 'abc' }, 'a live query needs a relative "start"'],
    [{ start: 2, end: 1 }, '"start" (2) is after "end" (1)'],
    [{ ingestStart: 2, ingestEnd: 1 }, '"ingestStart" (2) is after "ingestEnd" (1)'],
    [{ start: Object.create(null) }, '"start" must be whole epoch milliseconds'],
    [{ ingestStart: null }, '"ingestStart" must be whole epoch milliseconds'],
    [{ useIngestTime: 1 }, '"useIngestTime" must be true or false (got 1)'],
    [{ around: { timestamp: 1 } }, 'op: "around": "eventId" must be the @id of an event (got undefined)'],
    [{ around: { eventId: 'x' } }, 'op: "around": "timestamp" must be whole epoch milliseconds'],
    [{ around: { eventId: 'x', timestamp: 1, before: 5 } }, 'op: "around" has no option "before"'],
    [{ around: { eventId: 'x', timestamp: 1 }, isLive: true }, `"around" and "isLive" can't be combined`],
    [{ isLive: true, ingestStart: 5 }, 'a live query needs a relative "ingestStart"'],
    [{ isLive: true, ingestEnd: '1h' }, 'omit "ingestEnd"'],
    [{ isLive: 'yes' }, '"isLive" must be true or false'],
    [{ timeZoneOffsetMinutes: 5_000 }, '"timeZoneOffsetMinutes" must be a whole number'],
    [{ timeZone: 2 }, '"timeZone" must be a non-empty string'],
    [{ arguments: { n: true } }, '"arguments" must contain only strings and numbers (got true for "n")'],
    [{ arguments: { n: Number.NaN } }, '"arguments" must contain only strings and numbers (got NaN for "n")'],
    [{ arguments: ['x'] }, '"arguments" must be an object of strings'],
    [{ rawData: [] }, '"rawData" must be an object'],
    [{ isLive: true, start: 1_770_000_000_000 }, 'a live query needs a relative "start"'],
    [{ isLive: true, start: '1770000000000' }, 'a live query needs a relative "start"'],
    [{ isLive: true, start: 'now@d' }, 'a live query needs a relative "start" without anchors'],
    [{ isLive: true, start: 'calendar: 1d' }, 'a live query needs a relative "start" without anchors'],
    [{ isLive: true, end: '1h' }, 'a live query has no end'],
    [{ isLive: true, rawData: { end: 5 } }, 'a live query has no end'],
  ])('rejects %j', (options, message) => {
    expect(() => resolve(options)).toThrow(LogOptionsException);
    expect(() => resolve(options)).toThrow(message);
  });

  it('rejects a query that is not a string', () => {
    expect(() => resolve({}, 5 as unknown as string)).toThrow('op: the query must be a string (got 5).');
  });

  it('accepts a live query with a relative start', () => {
    expect(resolve({ isLive: true, start: '10 minutes', end: 'now' })).toEqual({
      queryString: '*',
      isLive: true,
      start: '10 minutes',
      end: 'now',
    });
  });
});
