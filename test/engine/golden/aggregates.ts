import { events } from '../run-query.ts';
import type { GoldenCases } from './golden-case.ts';

const SIZES = events('k=a v=5', 'k=b v=1', 'k=a v=2', 'v=x', 'k=c');
const TIMED = events(
  '@timestamp=1000 v=5 s=a',
  '@timestamp=1500 v=6 s=a',
  '@timestamp=1900 v=1 s=b',
  '@timestamp=2100 v=2 s=a',
  '@timestamp=2200 v=6',
);
/** Four seconds, as in the service's example. */
const SECONDS = { start: 300, end: 3999 };

export const aggregateCases: GoldenCases = {
  count: [
    ['count()', [], events('_count=0')],
    ['n := count()', SIZES, events('n=5')],
    ['count(v, as=n)', SIZES, events('n=4')],
    ['count(k, distinct=true)', SIZES, events('_count=3')],
    ['v=* k=* | count()', SIZES, events('_count=3')],
  ],
  sum: [
    ['sum(v)', SIZES, events('_sum=8')],
    ['sum(v)', [], events('_sum=0')],
    ['sum(v)', events('v=1.5E308', 'v=1.5E308'), []],
    ['groupBy(k, function=sum(v, as=t)) | k=c', SIZES, events('k=c t=0')],
  ],
  avg: [
    ['avg(v, as=mean)', events('v=1', 'v=2'), events('mean=1.5')],
    ['avg(v)', events('v=x'), []],
  ],
  min: [
    ['min(v)', SIZES, events('_min=1')],
    ['min(k)', SIZES, []],
  ],
  max: [
    ['max(v)', SIZES, events('_max=5')],
    ['max(v, type=number)', SIZES, events('_max=5')],
  ],
  range: [
    ['range(v)', SIZES, events('_range=4')],
    ['range(k)', SIZES, []],
  ],
  stdDev: [
    ['stdDev(v)', events('v=2', 'v=4', 'v=4', 'v=4', 'v=5', 'v=5', 'v=7', 'v=9'), events('_stddev=2')],
    ['stdDev(v)', [], []],
  ],
  percentile: [
    ['percentile(v)', events('v=1', 'v=2', 'v=3', 'v=4', 'v=x'), events('_50=2 _75=3 _99=3')],
    ['percentile(v, percentiles=[0, 99.9], as=p)', events('v=4', 'v=3'), [{ p_0: '3', 'p_99.9': '3' }]],
    ['percentile(v)', [], []],
  ],
  stats: [
    ['stats([count(), max(v)])', SIZES, events('_count=5 _max=5')],
    ['[n := count(), avg(nope)]', SIZES, events('n=5')],
    ['stats()', SIZES, events('_count=5')],
    ['stats(count(), [max(v), min(v)], count(k, as=n))', SIZES, events('_count=5 _max=5 _min=1 n=4')],
    ['stats({ v=* | count(as=n) })', SIZES, events('n=4')],
  ],
  collect: [
    ['collect(k)', SIZES, [{ k: 'a\nb\nc' }]],
    ['collect([k, v], separator=",")', SIZES, events('k=a,b,c v=5,1,2,x')],
    ['collect(k, multival=false)', SIZES, events('k=a', 'k=b', 'k=c')],
    ['collect(k, limit=2, separator="-")', SIZES, events('k=a-b')],
    ['collect(nope)', SIZES, []],
    ['collect([@timestamp, s], separator=",")', TIMED, events('s=a,b')],
  ],
  selectLast: [
    ['selectLast([k, v])', SIZES, events('k=c v=x')],
    ['selectLast(nope)', SIZES, []],
    ['selectLast(fields=[v, s])', TIMED, events('v=6 s=a')],
    ['sort(v, order=asc) | groupBy(s, function=selectLast(v)) | s=a', TIMED, events('s=a v=2')],
  ],
  selectFromMax: [
    ['selectFromMax(v, include=[k, v])', SIZES, events('k=a v=5')],
    ['selectFromMax(@timestamp, include=*)', TIMED, events('@timestamp=2200 v=6')],
    [
      'groupBy(s, function=selectFromMax(field="@timestamp", include=[v])) | s=*',
      TIMED,
      events('s=a v=2', 's=b v=1'),
    ],
  ],
  selectFromMin: [
    ['selectFromMin(v, include=k)', SIZES, events('k=b')],
    ['selectFromMin(k, include=k)', SIZES, []],
  ],
  head: [
    ['head(2)', events('a=1', 'a=2', 'a=3'), events('a=1', 'a=2')],
    ['head(limit=1) | count()', events('a=1', 'a=2'), events('_count=1')],
    [
      '@timestamp := t | head(2)',
      events('@timestamp=1 t=9', '@timestamp=2 t=3', '@timestamp=3 t=5', '@timestamp=4 t=1'),
      events('@timestamp=1 t=1', '@timestamp=3 t=3'),
    ],
    ['sort(v) | head(2)', TIMED, events('@timestamp=1000 v=5 s=a', '@timestamp=1500 v=6 s=a')],
  ],
  tail: [
    ['tail(2)', events('a=1', 'a=2', 'a=3'), events('a=3', 'a=2')],
    ['tail(max)', events('a=1'), events('a=1')],
    ['sort(v) | tail(2)', TIMED, events('@timestamp=2200 v=6', '@timestamp=2100 v=2 s=a')],
    [
      'groupBy(s, function=tail(limit=1)) | s=*',
      TIMED,
      events('s=a @timestamp=2100 v=2', 's=b @timestamp=1900 v=1'),
    ],
  ],
  sort: [
    ['sort(v)', SIZES, events('k=a v=5', 'k=a v=2', 'k=b v=1', 'v=x', 'k=c')],
    ['sort(v, order=asc, limit=4)', SIZES, events('k=c', 'k=b v=1', 'k=a v=2', 'k=a v=5')],
    ['sort([k, v], order=[asc, desc])', SIZES, events('v=x', 'k=a v=5', 'k=a v=2', 'k=b v=1', 'k=c')],
    ['sort(v, type=string, reverse=false)', events('v=10', 'v=9'), events('v=10', 'v=9')],
    [
      'sort(v, type=hex, limit=3)',
      events('v=fffffffffffffffe', 'v=10', 'v=0xFFFFFFFFFFFFFFFF', 'v=zz'),
      events('v=0xFFFFFFFFFFFFFFFF', 'v=fffffffffffffffe', 'v=10'),
    ],
    ['sort(v, type=hex)', events('v=9', 'v=0xA', 'v=f'), events('v=f', 'v=0xA', 'v=9')],
    ['groupBy(k) | sort()', SIZES, events('k=a _count=2', 'k=b _count=1', 'k=c _count=1', '_count=1')],
  ],
  table: [
    ['table([v, k])', events('@timestamp=1 v=1', '@timestamp=2 v=2 k=x'), events('v=2 k=x', 'v=1')],
    ['table(v, k, sortby=v, order=asc, limit=2)', SIZES, events('k=c', 'v=1 k=b')],
  ],
  top: [
    ['top(k)', SIZES, events('k=a _count=2', 'k=b _count=1', 'k=c _count=1')],
    [
      'top(k, limit=1, rest=others, percent=true, as=n)',
      SIZES,
      events('k=a n=2 percent=50', 'k=others n=2 percent=50'),
    ],
    ['top(k, sum=v)', SIZES, events('k=a _sum=7', 'k=b _sum=1')],
    [
      'top(k, sum=v, percent=true)',
      events('k=a v=1e308', 'k=a v=1e308', 'k=b v=1'),
      events('k=a', 'k=b _sum=1'),
    ],
    ['top([k, v], max=v, limit=1)', SIZES, events('k=a v=5 _max=5')],
  ],
  groupBy: [
    ['groupBy(k) | groupBy([_count, k])', SIZES.slice(0, 3), events('_count=1 k=b', '_count=1 k=a')],
    ['groupBy(k)', SIZES, events('k=a _count=2', 'k=b _count=1', 'k=c _count=1', '_count=1')],
    ['groupBy([k, v], function=[])', SIZES, events('k=a v=2', 'k=a v=5', 'k=b v=1', 'k=c', 'v=x')],
    ['groupBy(v, limit=1, function=sum(v))', SIZES, events('v=5 _sum=5')],
    ['groupBy(k, function=avg(v))', SIZES, [...events('k=a _avg=3.5', 'k=b _avg=1', 'k=c'), {}]],
    [
      'groupBy(k, function=[count(as=t), groupBy(v, function=count(as=n))]) | k=a',
      SIZES,
      events('k=a t=2 v=2 n=1', 'k=a t=2 v=5 n=1'),
    ],
    ['groupBy(k, function=tail(1)) | v=2', SIZES, events('k=a v=2')],
    [
      'groupBy(k, function=[{ v > 1 | count(as=big) }, max(v)])',
      SIZES,
      events('k=a big=2 _max=5', 'k=b big=0 _max=1', 'k=c big=0', 'big=0'),
    ],
    [
      'groupBy(n)',
      events('n=10', 'n=9', 'n=x', 'n='),
      events('n=9 _count=1', 'n=10 _count=1', 'n= _count=1', 'n=x _count=1'),
    ],
    ['k =~ groupBy(function=max(v))', SIZES, [...events('k=a _max=5', 'k=b _max=1', 'k=c'), {}]],
  ],
  timeChart: [
    [
      'timeChart(span=1000ms, function=sum(v))',
      TIMED,
      events('_bucket=0 _sum=0', '_bucket=1000 _sum=12', '_bucket=2000 _sum=8', '_bucket=3000 _sum=0'),
      SECONDS,
    ],
    [
      'timeChart(span=1s, function=[count(), avg(v)])',
      TIMED,
      events(
        '_bucket=0 _count=0',
        '_bucket=1000 _count=3 _avg=4',
        '_bucket=2000 _count=2 _avg=4',
        '_bucket=3000 _count=0',
      ),
      SECONDS,
    ],
    [
      'timeChart(s, span=1s)',
      TIMED,
      events(
        '_bucket=1000 s=a _count=2',
        '_bucket=1000 s=b _count=1',
        '_bucket=2000 s=a _count=1',
        '_bucket=2000 s=b _count=0',
      ),
      { start: 1000, end: 2999 },
    ],
    [
      'timeChart(series=s, span=1s, limit=1)',
      TIMED,
      events('_bucket=1000 s=a _count=2', '_bucket=2000 s=a _count=1'),
      { start: 1000, end: 2999 },
    ],
    [
      'timeChart(span=1s, function=[count(), max(v)], unit=["1/span to 1/min", "B to kB"])',
      TIMED,
      events('_bucket=1000 _count=180 _max=0.006', '_bucket=2000 _count=120 _max=0.006'),
      { start: 1000, end: 2999 },
    ],
    [
      'timeChart(span=12h, timezone="Europe/Copenhagen")',
      [],
      // Daylight saving time starts on the second morning.
      events(
        '_bucket=1774652400000 _count=0',
        '_bucket=1774695600000 _count=0',
        '_bucket=1774738800000 _count=0',
        '_bucket=1774778400000 _count=0',
      ),
      { start: Date.UTC(2026, 2, 28), end: Date.UTC(2026, 2, 29, 12) },
    ],
    [
      'timeChart(s, span=1s, limit=max, minSpan=2s) | count()',
      TIMED,
      events('_count=4'),
      { start: 0, end: 3999 },
    ],
    // One bucket for each millisecond would be too many.
    [
      'timeChart(span=1ms) | [count(), max(_bucket)]',
      [],
      events('_count=1500 _max=2998'),
      { start: 0, end: 2999 },
    ],
    ['timeChart(minSpan=1h, span=5m, buckets=7)', [], events('_bucket=0 _count=0'), SECONDS],
    [
      'timeChart(series=s, function={ v > 5 | count() }, span=4s)',
      TIMED,
      events('_bucket=0 s=a _count=1', '_bucket=0 s=b _count=0'),
      SECONDS,
    ],
    [
      'timeChart(span=2s, buckets=100)',
      TIMED,
      events('_bucket=0 _count=3', '_bucket=2000 _count=2'),
      SECONDS,
    ],
    [
      'timeChart(span=1s, function=count()) | _count=1',
      events('@timestamp=90000'),
      events('_bucket=90000 _count=1'),
      SECONDS,
    ],
    ['timeChart(buckets=2) | _count=* | count()', TIMED, events('_count=3'), { start: 0, end: 4000 }],
    [
      'timeChart(span=2s, unit="B/span to kB/min", function=sum(v))',
      TIMED,
      events('_bucket=0 _sum=0.36', '_bucket=2000 _sum=0.24'),
      SECONDS,
    ],
    [
      'timeChart(span=2s, unit="B to k B/min", function=sum(v))',
      TIMED,
      events('_bucket=0 _sum=0.36', '_bucket=2000 _sum=0.24'),
      SECONDS,
    ],
    [
      'timeChart(span=2s, unit="/span to 30/min", function=sum(v))',
      TIMED,
      events('_bucket=0 _sum=12', '_bucket=2000 _sum=8'),
      SECONDS,
    ],
    [
      'timeChart(span=1s, unit="2Ki lines/s to lines/s", function=count())',
      events('@timestamp=90000'),
      events('_bucket=90000 _count=2048'),
      { start: 90_000, end: 90_999 },
    ],
  ],
  bucket: [
    [
      'bucket(span=calendar:1mon, function=sum(v))',
      events('@timestamp=0 v=1', '@timestamp=2678399999 v=2', '@timestamp=2678400000 v=4'),
      events('_bucket=0 _sum=3', '_bucket=2678400000 _sum=4'),
      { start: 0, end: 3_000_000_000 },
    ],
    [
      'bucket(span=1s)',
      TIMED,
      events('_bucket=1000 _count=3', '_bucket=2000 _count=2'),
      { start: 1000, end: 2999 },
    ],
    [
      'bucket(1s, field=s, function=max(v))',
      TIMED,
      events(
        '_bucket=1000 s=a _max=6',
        '_bucket=1000 s=b _max=1',
        '_bucket=2000 s=a _max=2',
        '_bucket=2000 s=b',
      ),
      { start: 1000, end: 2999 },
    ],
  ],
  createEvents: [
    ['createEvents(["a=1", "a=2"]) | kvParse() | select(a)', events('a=9'), events('a=1', 'a=2')],
    ['createEvents("x")', [], [{ '@rawstring': 'x', '@timestamp': '7' }], { now: 7 }],
  ],
  fieldset: [['fieldset()', SIZES, events('field=k', 'field=v')]],
};
