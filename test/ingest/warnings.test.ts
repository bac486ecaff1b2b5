import { expect, it } from 'vitest';
import { type Warning, Warnings } from '../../src/ingest/warnings.ts';

function open(): { warnings: Warnings; shown: Warning[]; passMs: (ms: number) => void } {
  let now = 1_000_000;
  const shown: Warning[] = [];
  const clock = { now: () => now, startTimer: () => ({ cancel: () => {} }) };
  const warnings = new Warnings(clock, (warning) => shown.push(warning));
  return { warnings, shown, passMs: (ms) => (now += ms) };
}

it('shows the first warning of a kind at once, and then one in 30 seconds that stands for all between', () => {
  const { warnings, shown, passMs } = open();
  const report = (count: number): void => warnings.report('overflow', (total) => `${total} dropped`, count);
  report(1);
  report(2);
  passMs(29_999);
  report(3);
  expect(shown).toEqual([{ kind: 'overflow', message: '1 dropped' }]);
  passMs(1);
  report(4);
  expect(shown.map(({ message }) => message)).toEqual(['1 dropped', '9 dropped']);
});

it('does not let one kind of warning hide another', () => {
  const { warnings, shown } = open();
  warnings.report('retry', () => 'retry');
  warnings.report('attention', () => 'attention');
  expect(shown.map(({ kind }) => kind)).toEqual(['retry', 'attention']);
});
