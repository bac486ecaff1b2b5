import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WrittenTimes } from '../../../src/core/records/formats/written-times.ts';
import { cases } from '../../helpers/laws.ts';

const CONTEXT = { timeZone: 'Europe/Berlin', latest: Date.UTC(2026, 10, 28, 12) };

describe('Written times', () => {
  it('are the same after other times of their minute', () => {
    const text = fc
      .tuple(
        fc.constantFrom(
          '2026-11-28 04:14:',
          '2026-11-28T04:14:',
          '28/Nov/2026:04:14:',
          'Nov 28 04:14:',
          '04:14:',
        ),
        fc.constantFrom('00', '07', '59', '60', '7'),
        fc.constantFrom('', '.123', ',123', '.12', '.123456'),
        fc.constantFrom('', 'Z', ' UTC', ' EST', ' +0100', '+01:00', '+01'),
        fc.constantFrom('', ' ', ']', 'x', '5', ' ERROR', ' [main]', ' EST', ':30'),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 6 }), (list) => {
        const times = new WrittenTimes(CONTEXT);
        const read = (line: string, reader: WrittenTimes) => [
          reader.of(line),
          reader.at(line, 0),
          reader.at(line, 0) && reader.end,
        ];
        for (const line of list) {
          expect([line, ...read(line, times)]).toEqual([line, ...read(line, new WrittenTimes(CONTEXT))]);
        }
      }),
      cases(300),
    );
  });

  it('without a date are of the latest day on which they are not in the future', () => {
    const times = new WrittenTimes(CONTEXT);
    expect(times.at('13:00:00.001 [main] INFO started', 0)).toBe(Date.UTC(2026, 10, 27, 12, 0, 0, 1));
    expect(times.at('12:59:59.999 [main] INFO started', 0)).toBe(Date.UTC(2026, 10, 28, 11, 59, 59, 999));
    expect(times.of('12:59:59.999')).toBeUndefined();
  });

  it('without a date are of the day of the one before them for an hour, a day in the future at most, of which they warn', () => {
    const times = new WrittenTimes(CONTEXT);
    const hours = Array.from({ length: 26 }, (_, hour) => {
      const text = `${String((12 + hour) % 24).padStart(2, '0')}:30:00.000 [main] INFO started`;
      return (times.at(text, 0)! - CONTEXT.latest) / 3_600_000;
    });
    expect(hours).toEqual([...Array.from({ length: 25 }, (_, hour) => hour - 0.5), 0.5]);
    expect(times.warnings(CONTEXT.latest)[0]).toMatch(
      /^times are up to 23 h 30 min in the future\..*--timezone/,
    );
    expect(times.at('11:00:00.000 [main] INFO started', 0)).toBe(CONTEXT.latest - 2 * 3_600_000);
  });

  it('without a year are at most a day in the future, of which they warn', () => {
    const times = new WrittenTimes(CONTEXT);
    expect(times.at('Nov 28 13:00:00 web-1 a: b', 0)).toBe(CONTEXT.latest);
    expect(times.at('Nov 30 01:00:00 web-1 a: b', 0)).toBe(Date.UTC(2025, 10, 30));
    expect(times.warnings(CONTEXT.latest)).toEqual([]);
    expect(times.at('Nov 28 15:00:00 web-1 a: b', 0)).toBe(Date.UTC(2026, 10, 28, 14));
    expect(times.at('2026-11-30 15:00:00Z a zone is a fact', 0)).toBe(Date.UTC(2026, 10, 30, 15));
    expect(times.at('2026-11-30 15:00:00 JST another', 0)).toBe(Date.UTC(2026, 10, 30, 6));
    expect(times.warnings(CONTEXT.latest)).toEqual([
      'times are up to 2 h 0 min in the future. If they are of another time zone, set it with --timezone.',
    ]);
  });
});
