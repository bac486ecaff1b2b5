import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { isPlain, textLine } from '../../../src/core/records/formats/text-line.ts';
import { WrittenTimes } from '../../../src/core/records/formats/written-times.ts';
import { cases } from '../../helpers/laws.ts';

const TIMES = ['2026-11-28 04:14:55,759', '2026-11-28T04:14:55Z', '[2026-11-28 04:14:55]', '1795839295.759'];
const PARTS = [
  ...[' ', ' INFO', ' ERROR', '[main]', ' [main]', ' [warn]', ' WARN:', '.ERROR:', ' info: ', 'fail: ', ']'],
  ...[
    ' stdout F',
    ' shop',
    ' shop[7]:',
    ' shop[8]:',
    ' [exec-1]',
    ' [exec-27]',
    ' [exec-28]',
    '=x a=b',
    ' {"a":1}',
    ' - -',
    ' - - [28/Nov/2026:04:15:55 +0000] "GET',
    ' LOG',
    ':',
  ],
];
const line = fc
  .tuple(fc.constantFrom('', ...TIMES), fc.array(fc.constantFrom(...PARTS), { maxLength: 6 }))
  .map(([time, parts]) => time + parts.join(''));

describe('A line of text', () => {
  it('is plain after its time only if it is plain, unless it may be one of an access log', () => {
    fc.assert(
      fc.property(line, (text) => {
        const times = new WrittenTimes({ timeZone: 'UTC' });
        const rest = times.at(text, 0) === undefined || text.includes('] "') ? 0 : times.end;
        expect([text, isPlain(text, 0, rest)]).toEqual([text, isPlain(text, 0)]);
      }),
      cases(300),
    );
  });

  it('has the same level after other lines', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 3, maxLength: 30 }), async (lines) => {
        vi.resetModules();
        const fresh = await import('../../../src/core/records/formats/text-line.ts');
        for (const text of lines) textLine(text);
        const last = lines.at(-1)!;
        expect([last, textLine(last).fields()]).toEqual([last, fresh.textLine(last).fields()]);
      }),
      cases(50),
    );
  });
});
