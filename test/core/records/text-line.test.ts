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
    ' web-1 kernel: oom',
    ' web sudo: eve',
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
  it.each(['.123456+01:00', '+0100', 'Z'])(
    'has the columns of syslog without a process ID, with %s',
    (end) => {
      for (const priority of ['', '<4>']) {
        for (const [host, app] of [
          ['web01', 'kernel'],
          ['10.0.0.1', 'dockerd'],
          ['ip-10-0-0-1', 'my-app'],
          ['localhost', 'rsyslogd'],
        ]) {
          const { time, fields } = textLine(`${priority}2026-11-29T23:00:00${end} ${host} ${app}: oom`);
          expect(time).toBeDefined();
          expect(fields()).toMatchObject({ host, app, message: 'oom' });
        }
      }
    },
  );

  it.each([
    'INFO Main: started',
    'info main: started',
    'web-1 error: started',
    'Server started: 7',
    'connection failed: timeout',
    'INFO kernel: started',
    '404 page: not found',
    '[main] shop: started',
    'main.go:12 failed: x',
  ])('has no host because a colon follows the second word: %s', (text) => {
    expect(textLine(`2026-11-29T23:00:00.123456+01:00 ${text}`).fields()).not.toHaveProperty('host');
  });

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
