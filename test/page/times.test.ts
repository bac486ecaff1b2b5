import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisTime, day, daySeparators, fullTime, readTime, shortTime } from '../../src/page/records/times.ts';
import { cases } from '../helpers/laws.ts';

const ZONES = ['UTC', 'Asia/Kolkata', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Chatham'];
const time = fc.integer({ min: Date.UTC(1980, 0), max: Date.UTC(2100, 0) });

describe('Clock times', () => {
  it('readTime() reads what fullTime() prints, in every time zone', () => {
    fc.assert(
      fc.property(time, fc.constantFrom(...ZONES), (given, zone) => {
        const shown = fullTime(given, zone).slice(0, 19);
        expect(fullTime(readTime(shown.replace(' ', 'T'), zone), zone)).toBe(`${shown}.000`);
      }),
      cases(),
    );
  });

  it('axisTime() separates milliseconds with a point', () => {
    expect(axisTime(Date.UTC(2026, 0, 1) + 250, 10, 100, 'UTC')).toBe('00:00:00.250');
  });

  it('readTime() returns NaN for text that is not a time', () => {
    expect(readTime('soon', 'UTC')).toBeNaN();
  });
});

describe('Days of rows', () => {
  const now = Date.UTC(2026, 10, 24, 12);
  const hours = (...offsets: number[]) => offsets.map((offset) => ({ time: now + offset * 3_600_000 }));

  it('are shown above the first row of each day', () => {
    expect(daySeparators(hours(-25, -14, -11, 0), 'UTC', now)).toEqual(
      new Map([
        [0, '2026-11-23'],
        [2, '2026-11-24'],
      ]),
    );
  });

  it('are not shown if all rows are of today, but if all are of another day', () => {
    expect(daySeparators(hours(-2, 0), 'UTC', now).size).toBe(0);
    expect(daySeparators(hours(-48, -47), 'UTC', now)).toEqual(new Map([[0, '2026-11-22']]));
    expect(daySeparators([], 'UTC', now).size).toBe(0);
  });

  it('agree with the calendar for each row, in every time zone', () => {
    fc.assert(
      fc.property(fc.array(time, { minLength: 1 }), fc.constantFrom(...ZONES), (given, zone) => {
        const times = given.flatMap((each) => [each, each + 900_000, each + 40_000_000]);
        const separators = daySeparators(
          times.map((each) => ({ time: each })),
          zone,
          0,
        );
        let shown: string | undefined;
        for (const [index, each] of times.entries()) {
          shown = separators.get(index) ?? shown;
          expect(shown).toBe(day(each, zone));
        }
      }),
      cases(),
    );
  });

  it('shortTime() has the day if it is not today', () => {
    expect(shortTime(now, 'UTC', now)).toBe('12:00:00.000');
    expect(shortTime(now - 86_400_000, 'UTC', now)).toBe('2026-11-23 12:00:00.000');
  });

  it('axisTime() has the year if the axis spans about one', () => {
    expect(axisTime(now, 86_400_000 * 30, 86_400_000 * 365, 'UTC')).toBe('2026-11-24');
  });
});
