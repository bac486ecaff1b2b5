import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { resolveIngesterOptions } from '../../../src/ingest/options.ts';
import { resumeProcess } from '../../../src/ingest/process/process-exit.ts';
import { DeliveryAccounting } from '../../../src/ingest/report/delivery-accounting.ts';
import type { Warning } from '../../../src/ingest/report/warning.ts';
import { Warnings } from '../../../src/ingest/report/warnings.ts';
import { realWorld } from '../../../src/ingest/world.ts';

const lines = vi.hoisted((): string[] => []);
vi.mock('../../../src/core/stderr-line.ts', () => ({ writeErrorLine: (line: string) => lines.push(line) }));

let shown: Warning[];
let warnings: Warnings;

beforeEach(() => {
  vi.useFakeTimers();
  shown = [];
  warnings = new Warnings({ world: realWorld, onWarning: (warning) => shown.push(warning) });
});

afterEach(() => {
  // Flushes pending reports, so that no process listener remains.
  vi.runAllTimers();
  vi.useRealTimers();
});

function lose(records: number): void {
  warnings.reportLoss('overflow', records, (total) => `${total} dropped`);
}

function messages(): string[] {
  return shown.map(({ message }) => message);
}

it('a loss is reported immediately, and later ones of its kind within 30 s in one line', () => {
  lose(1);
  lose(2);
  vi.advanceTimersByTime(29_999);
  lose(3);
  expect(shown).toEqual([{ kind: 'overflow', message: '1 dropped' }]);
  vi.advanceTimersByTime(1);
  expect(messages()).toEqual(['1 dropped', '5 dropped']);
  lose(4);
  vi.advanceTimersByTime(60_000);
  lose(5);
  expect(messages().slice(2)).toEqual(['4 dropped', '5 dropped']);
});

it('combined losses of one kind are reported on process exit, even if those of another kind were reported before', () => {
  lose(1);
  vi.advanceTimersByTime(20_000);
  warnings.reportLoss('rejected', 1, (total) => `${total} rejected`);
  warnings.reportLoss('rejected', 2, (total) => `${total} rejected`);
  lose(3);
  vi.advanceTimersByTime(10_000);
  expect(messages()).toEqual(['1 dropped', '1 rejected', '3 dropped']);
  process.listeners('exit').at(-1)?.(0);
  expect(messages().slice(3)).toEqual(['2 rejected']);
  resumeProcess();
});

it('combined losses are reported on process exit', () => {
  lose(1);
  lose(2);
  lose(3);
  process.listeners('exit').at(-1)?.(0);
  expect(messages()).toEqual(['1 dropped', '5 dropped']);
});

it('one kind of warning does not suppress another', () => {
  warnings.report('retry', () => 'retry');
  warnings.report('attention', () => 'attention');
  expect(messages()).toEqual(['retry', 'attention']);
});

it('report() skips a warning of the same kind within 30 s and returns false', () => {
  expect(warnings.report('retry', () => 'first')).toBe(true);
  vi.advanceTimersByTime(29_999);
  expect(warnings.report('retry', () => 'second')).toBe(false);
  vi.advanceTimersByTime(1);
  expect(warnings.report('retry', () => 'third')).toBe(true);
  expect(messages()).toEqual(['first', 'third']);
});

it('a clock that is set back does not suppress warnings', () => {
  warnings.report('retry', () => 'first');
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(warnings.report('retry', () => 'second')).toBe(true);
});

it('a warning hook that reports a loss does not call itself again', () => {
  let loses = true;
  const onWarning = (warning: Warning): void => {
    shown.push(warning);
    if (loses) again.reportLoss('overflow', 1, (total) => `${total} more`);
  };
  const again = new Warnings({ world: realWorld, onWarning });
  again.reportLoss('overflow', 1, () => 'first');
  expect(messages()).toEqual(['first']);
  process.listeners('exit').at(-1)?.(0);
  expect(messages()).toEqual(['first', '1 more']);
  loses = false;
});

it('a warning is one line without control characters, whatever a response contains', () => {
  warnings.report('attention', () => 'failed: \u001b[2J\u0007 no\r\nlogclient: 9 records\u2028\u202eend');
  expect(messages()).toEqual(['failed:  [2J  no logclient: 9 records end']);
});

it.each([
  ['stderr', undefined, ['logclient: Records are delivered again.']],
  ['but not to a hook', (): void => {}, []],
])('the end of an outage is reported once if the outage was: %s', (_, onWarning, again) => {
  const options = resolveIngesterOptions({ baseUrl: 'http://127.0.0.1:9', ingestToken: 'token' });
  const accounting = new DeliveryAccounting(options, {
    warnings: new Warnings({ world: realWorld, onWarning }),
    world: realWorld,
  });
  const ends = (report: 'failure' | 'retry' | 'attention'): string[] => {
    lines.length = 0;
    for (let attempt = 0; attempt < 3; attempt++) {
      accounting.retried({ kind: 'retryable', reason: 'status 503' }, report);
    }
    accounting.delivered(1);
    accounting.delivered(1);
    return lines.filter((line) => line.includes('again'));
  };
  expect([ends('failure'), ends('retry'), ends('retry'), ends('attention')]).toEqual([[], again, [], again]);
});
