import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisTime, fullTime, readTime } from '../../src/page/records/times.ts';

const ZONES = ['UTC', 'Asia/Kolkata', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Chatham'];
const time = fc.integer({ min: Date.UTC(1980, 0), max: Date.UTC(2100, 0) });

describe('Clock times', () => {
  it('readTime() reads what fullTime() prints, in every time zone', () => {
    fc.assert(
      fc.property(time, fc.constantFrom(...ZONES), (given, zone) => {
        const shown = fullTime(given, zone).slice(0, 19);
        expect(fullTime(readTime(shown.replace(' ', 'T'), zone), zone)).toBe(`${shown}.000`);
      }),
    );
  });

  it('axisTime() separates milliseconds with a point', () => {
    expect(axisTime(Date.UTC(2026, 0, 1) + 250, 10, 100, 'UTC')).toBe('00:00:00.250');
  });

  it('readTime() returns NaN for text that is not a time', () => {
    expect(readTime('soon', 'UTC')).toBeNaN();
  });
});
