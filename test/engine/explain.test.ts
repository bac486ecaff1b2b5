import { describe, expect, it } from 'vitest';
import { compileQuery, type Fields } from '../../src/engine/index.ts';
import { refusalOf } from './run-query.ts';

const CONTEXT = { start: 0, end: 10_000, now: 10_000, timeZone: 'UTC' };

function opened(query: string, events: readonly Fields[]) {
  const run = compileQuery(query).open(CONTEXT);
  for (const event of events) run.push(event);
  return run;
}

const EVENTS: readonly Fields[] = Array.from({ length: 2_000 }, (_, i) => ({
  '@timestamp': String(i),
  '@rawstring': `request ${i} took ${i % 7} ms`,
  status: i % 3 === 0 ? '500' : '200',
}));

describe('explain:asTable()', () => {
  it('returns a row for each step with its event counts and its time in milliseconds', () => {
    const query = 'status=500 | regex("took (?<ms>\\\\d)") | groupBy(ms) | sort(_count) | explain:asTable()';
    const run = opened(query, EVENTS);
    const start = performance.now();
    const rows = run.rows();
    const readMs = performance.now() - start;
    expect(rows.map(({ stepID, step }) => [stepID, step])).toEqual([
      ['1', 'status=500'],
      ['2', 'regex("took (?<ms>\\\\d)")'],
      ['3', 'groupBy(ms)'],
      ['4', 'sort(_count)'],
    ]);
    expect(rows.map(({ eventsIn, eventsOut }) => [eventsIn, eventsOut])).toEqual([
      ['2000', '667'],
      ['667', '667'],
      ['667', '7'],
      ['7', '7'],
    ]);
    for (const { timeMs } of rows) expect(Number(timeMs)).toBeGreaterThanOrEqual(0);
    expect(rows.reduce((sum, { timeMs }) => sum + Number(timeMs), 0)).toBeGreaterThan(0);
    expect(Number(rows[3]?.timeMs)).toBeLessThanOrEqual(readMs);
  });

  it('counts each event once, even when the result is read repeatedly', () => {
    const run = opened(
      'groupBy(status) | sort(_count) | status=2* | explain:asTable() | drop(timeMs)',
      EVENTS,
    );
    const rows = run.rows();
    expect(run.rows()).toEqual(rows);
    run.push(EVENTS[0]!);
    expect(run.rows()[0]).toMatchObject({ eventsIn: '2001', eventsOut: '2' });
  });

  it('can be followed by other steps', () => {
    const run = opened(
      'status=500 | count() | explain:asTable() | step=count* | table([step, eventsIn])',
      EVENTS,
    );
    expect(run.rows()).toEqual([{ step: 'count()', eventsIn: '667' }]);
    expect(run.fieldOrder).toEqual(['step', 'eventsIn']);
  });

  it.each([
    ['groupBy(a, function=explain:asTable())', 'explain:asTable() must be a step of the query'],
    [
      'correlate(a: {x=1}, b: {y=1 | z <=> a.z}, within=1h) | explain:asTable()',
      "A query with correlate() can't be explained: its steps have no counts",
    ],
  ])('is rejected in %s', (query, problem) => {
    expect(refusalOf(query).message).toContain(problem);
  });
});
