import { events } from '../run-query.ts';
import type { GoldenCases } from './golden-case.ts';

const VALUES = events('v=5', 'v=6', 'v=1', 'v=2');
const SPLITS = events('s=false', 's=false', 's=false', 's=true', 's=false');
const TIMED = events('@timestamp=1000 v=1', '@timestamp=2000 v=2', '@timestamp=4000 v=4', 'v=9');

export const sequenceCases: GoldenCases = {
  accumulate: [
    [
      'head() | accumulate(avg(v))',
      VALUES,
      events('v=5 _avg=5', 'v=6 _avg=5.5', 'v=1 _avg=4', 'v=2 _avg=3.5'),
    ],
    [
      'head() | accumulate([sum(v), count()], current=exclude)',
      VALUES,
      events('v=5 _sum=0 _count=0', 'v=6 _sum=5 _count=1', 'v=1 _sum=11 _count=2', 'v=2 _sum=12 _count=3'),
    ],
    ['head() | accumulate(max(v, as=v))', VALUES, events('v=5', 'v=6', 'v=6', 'v=6')],
    ['head() | accumulate(avg(nope), current=include)', events('v=1'), events('v=1')],
    [
      'head() | accumulate({ v > 1 | count() })',
      VALUES.slice(1),
      events('v=6 _count=1', 'v=1 _count=1', 'v=2 _count=2'),
    ],
    ['groupBy(v) | accumulate(sum(_count, as=total)) | tail(1)', VALUES, events('v=6 _count=1 total=4')],
  ],
  appendAggregation: [
    [
      'head() | appendAggregation({ sum(value, as="value") | key:="total" })',
      events('key=a value=2', 'key=b value=3', 'key=c value=7'),
      events('key=a value=2', 'key=b value=3', 'key=c value=7', 'value=12 key=total'),
    ],
    [
      'groupBy(k) | appendAggregation(function=count()) | sort(_count, order=asc)',
      events('k=a', 'k=b', 'k=a'),
      events('k=b _count=1', 'k=a _count=2', '_count=2'),
    ],
    ['appendAggregation([count(), max(v)])', [], events('_count=0')],
  ],
  neighbor: [
    [
      'head() | neighbor(v, prefix=prev)',
      VALUES.slice(0, 3),
      [{ v: '5' }, { v: '6', 'prev.v': '5' }, { v: '1', 'prev.v': '6' }],
    ],
    [
      'head() | neighbor([v, nope], prefix=x, distance=2, direction=succeeding)',
      VALUES.slice(0, 3),
      [{ v: '5', 'x.v': '1' }, { v: '6' }, { v: '1' }],
    ],
    ['head() | neighbor(v)', VALUES.slice(0, 2), [{ v: '5' }, { v: '6', 'prev.v': '5' }]],
    [
      'head() | neighbor(v, direction=succeeding)',
      VALUES.slice(0, 2),
      [{ v: '5', 'next.v': '6' }, { v: '6' }],
    ],
    ['head() | neighbor(include=*, prefix=p) | v=2', VALUES, [{ v: '2', 'p.v': '1' }]],
    [
      'sort(v, order=asc) | neighbor(v, prefix=prev) | gap := v - prev.v | select(gap)',
      VALUES,
      [{}, ...events('gap=1', 'gap=3', 'gap=1')],
    ],
  ],
  partition: [
    ['head() | partition(count(), condition=test(s))', SPLITS, events('_count=3', '_count=2')],
    ['head() | partition(count(), condition=test(s), split=after)', SPLITS, events('_count=4', '_count=1')],
    [
      'head() | partition(function=collect(s), condition={ s=true })',
      SPLITS,
      events('s=false', 's=true\nfalse'),
    ],
    [
      'head() | partition(count(), condition={ s=* }, split=after)',
      SPLITS.slice(0, 2),
      events('_count=1', '_count=1'),
    ],
    ['head() | partition(count(), condition={ nope=* })', SPLITS, events('_count=5')],
    ['head() | partition(count(), condition={ nope=* })', [], []],
  ],
  slidingWindow: [
    [
      'head() | slidingWindow(sum(v), events=3)',
      events('v=1', 'v=4', 'v=11', 'v=2', 'v=5', 'v=1'),
      events('v=1 _sum=1', 'v=4 _sum=5', 'v=11 _sum=16', 'v=2 _sum=17', 'v=5 _sum=18', 'v=1 _sum=8'),
    ],
    [
      'head() | slidingWindow(function=[count(), max(v)], events=2, current=exclude)',
      VALUES,
      events('v=5 _count=0', 'v=6 _count=1 _max=5', 'v=1 _count=2 _max=6', 'v=2 _count=2 _max=6'),
    ],
  ],
  slidingTimeWindow: [
    [
      'head() | slidingTimeWindow(sum(v), span=3s)',
      TIMED.slice(0, 3),
      events('@timestamp=1000 v=1 _sum=1', '@timestamp=2000 v=2 _sum=3', '@timestamp=4000 v=4 _sum=6'),
    ],
    [
      'head() | slidingTimeWindow(count(), span=2s, current=exclude)',
      TIMED.slice(0, 3),
      events('@timestamp=1000 v=1 _count=0', '@timestamp=2000 v=2 _count=1', '@timestamp=4000 v=4 _count=0'),
    ],
    [
      'sort(v, order=asc) | slidingTimeWindow(function=count(), span=5ms, timestampfield=v)',
      TIMED.map(({ v = '' }) => ({ v })),
      events('v=1 _count=1', 'v=2 _count=2', 'v=4 _count=3', 'v=9 _count=1'),
    ],
    ['head() | slidingTimeWindow(count(), span=1s)', events('v=x'), events('v=x')],
    [
      'head() | groupBy(k, function=slidingTimeWindow(function={[{ q := v + 1 | max(q) }]}, span=2d))',
      events('@timestamp=1 k=a v=1', '@timestamp=2 k=b v=7', '@timestamp=3 k=a v=0'),
      events('k=a @timestamp=1 v=1 _max=2', 'k=a @timestamp=3 v=0 _max=2', 'k=b @timestamp=2 v=7 _max=8'),
    ],
  ],
};
