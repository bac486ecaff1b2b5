import { events } from '../run-query.ts';
import type { GoldenCases } from './golden-case.ts';

const COUNTER = events(
  '@timestamp=1000 c=10',
  '@timestamp=2000 c=x',
  '@timestamp=3000 c=20',
  '@timestamp=6000 c=35',
);
const LEVELS = events('level=ERROR', 'level=WARN', 'level=WARN', 'level=INFO');
const VISITS = events(
  '@timestamp=0 u=a v=1',
  '@timestamp=60000 u=b v=2',
  '@timestamp=600000 u=a v=3',
  '@timestamp=1600000 u=a v=4',
);
const METHODS = events(
  '@timestamp=1000 m=GET',
  '@timestamp=1500 m=POST n=1',
  '@timestamp=1600 other=x',
  '@timestamp=9000 m=GET',
);
/** Seven seconds with one value each. */
const BUCKETS = [1, 3, 5, 2, 1, 3, 5].map((v, second) => ({
  '@timestamp': String(second * 1000),
  v: String(v),
}));
const SEVEN = { start: 0, end: 6999 };
const ATTACK = events(
  '@timestamp=1000 @id=e1 type=login user=ann host=h1',
  '@timestamp=2000 @id=e2 type=login user=bob host=h2',
  '@timestamp=3000 @id=e3 type=move user=ann to=h9',
  '@timestamp=4000 @id=e4 type=move user=ann to=h8',
  '@timestamp=500 @id=e0 type=move user=bob to=h7',
);

export const moreAggregateCases: GoldenCases = {
  'explain:asTable': [
    [
      'v=* | k := upper(k) | groupBy(k) | k=A | explain:asTable(showPrefilters=false) | drop(timeMs)',
      events('k=a v=5', 'k=b v=1', 'k=a v=2', 'k=c'),
      [
        { stepID: '1', step: 'v=*', eventsIn: '4', eventsOut: '3' },
        { stepID: '2', step: 'k := upper(k)', eventsIn: '3', eventsOut: '3' },
        { stepID: '3', step: 'groupBy(k)', eventsIn: '3', eventsOut: '2' },
        { stepID: '4', step: 'k=A', eventsIn: '2', eventsOut: '1' },
      ],
    ],
    [
      'a b | explain:asTable() | select([step, eventsIn, eventsOut])',
      events('@rawstring=a', '@rawstring=ab'),
      [
        { step: 'a', eventsIn: '2', eventsOut: '2' },
        { step: 'b', eventsIn: '2', eventsOut: '1' },
      ],
    ],
    ['explain:asTable()', events('a=1'), []],
  ],
  counterAsRate: [
    ['counterAsRate(c)', COUNTER, events('_rate=5')],
    ['r := counterAsRate(field=c)', COUNTER, events('r=5')],
    ['counterAsRate(c)', COUNTER.slice(0, 2), []],
    ['counterAsRate(c)', events('@timestamp=1 c=5', '@timestamp=2 c=4', '@timestamp=3 c=9'), []],
    ['counterAsRate(c)', events('@timestamp=1 c=5', '@timestamp=1 c=6'), []],
    [
      'groupBy(k, function=counterAsRate(c, as=r))',
      events('@timestamp=0 k=a c=1', '@timestamp=500 k=a c=2'),
      events('k=a r=2'),
    ],
  ],
  percentage: [
    ['percentage({ s >= 400 })', events('s=200', 's=404', 's=500', 's=x'), events('_percentage=50')],
    [
      'percentage(condition=in(s, values=[200]), as=ok)',
      events('s=200', 's=404', ''),
      events('ok=33.33333333333333'),
    ],
    ['p := percentage(s < 300)', events('s=200', 't=1'), events('p=50')],
    ['percentage({ s=* })', [], []],
  ],
  linReg: [
    [
      'linReg(x=x, y=y)',
      events('x=1 y=3', 'x=2 y=5', 'x=3 y=7', 'x=no y=1', 'x=1'),
      events('_slope=2 _intercept=1 _r2=1 _n=3'),
    ],
    [
      // R² is 0.25, which is adjusted for three pairs.
      'linReg(x=x, y=y)',
      events('x=1 y=1', 'x=2 y=3', 'x=3 y=2'),
      events('_slope=0.5 _intercept=1 _r2=-0.5 _n=3'),
    ],
    [
      'linReg(x=x, y=y, prefix="fit.")',
      events('x=0 y=0', 'x=1 y=1'),
      [{ 'fit.slope': '1', 'fit.intercept': '0', 'fit.r2': '1', 'fit.n': '2' }],
    ],
    ['linReg(x=x, y=y)', events('x=1 y=3', 'x=1 y=5'), []],
    ['linReg(x=x, y=y)', events('x=1 y=3', 'x=2 y=3'), []],
    ['linReg(x=x, y=y)', events('x=1 y=3'), []],
  ],
  callFunction: [
    ['callFunction(max, field=v)', events('v=1', 'v=5'), events('_function=5')],
    ['callFunction(?{f=sum}, field=v, as=t)', events('v=1', 'v=5'), events('t=6')],
    [
      'callFunction(function=?f, field=v)',
      events('v=1', 'w=5'),
      events('_function=1'),
      { arguments: { f: 'count' } },
    ],
    [
      'groupBy(k, function=callFunction("avg", field=v))',
      events('k=a v=1', 'k=a v=2'),
      events('k=a _function=1.5'),
    ],
    ['callFunction(min, field=nope)', events('v=1'), []],
    ['callFunction("Range", field=v, as=r)', events('v=1', 'v=4'), events('r=3')],
  ],
  transpose: [
    [
      'groupBy(level) | transpose()',
      LEVELS,
      [
        { column: '_count', 'row[1]': '1', 'row[2]': '1', 'row[3]': '2' },
        { column: 'level', 'row[1]': 'ERROR', 'row[2]': 'INFO', 'row[3]': 'WARN' },
      ],
    ],
    ['groupBy(level) | transpose(header=level)', LEVELS, events('column=_count ERROR=1 INFO=1 WARN=2')],
    ['groupBy(level) | transpose(level)', LEVELS, events('level=_count ERROR=1 INFO=1 WARN=2')],
    [
      'groupBy(level) | transpose(column=Field, header=level, limit=1)',
      LEVELS,
      events('Field=_count ERROR=1'),
    ],
    [
      'transpose()',
      events('b=1', 'a=2'),
      [
        { column: 'a', 'row[2]': '2' },
        { column: 'b', 'row[1]': '1' },
      ],
    ],
    ['transpose(header=h)', events('h=x a=1', 'a=2'), [{ column: 'a', x: '1', 'row[2]': '2' }]],
    ['transpose()', [], []],
  ],
  fieldstats: [
    [
      'fieldstats()',
      [{ '#type': 'json', a: '1' }, { '#type': 'json', a: '1', b: '' }, { a: '2' }],
      [
        { '#type': 'json', field: '#type', _count: '2', distinct: '1' },
        { '#type': 'json', field: 'a', _count: '2', distinct: '1' },
        { '#type': 'json', field: 'b', _count: '1', distinct: '1' },
        { field: 'a', _count: '1', distinct: '1' },
      ],
    ],
    ['fieldstats(limit=1)', events('a=1', 'a=2 b=1'), events('field=a _count=2 distinct=2')],
    ['fieldstats()', [], []],
  ],
  session: [
    ['groupBy(u, function=session())', VISITS, events('u=a _count=2', 'u=a _count=1', 'u=b _count=1')],
    [
      'session([max(v), min(v)], maxpause=8min)',
      VISITS,
      events('_max=2 _min=1', '_max=3 _min=3', '_max=4 _min=4'),
    ],
    ['session(maxpause="1h", function=count(as=clicks))', VISITS, events('clicks=4')],
    [
      'session(function=collect(v, separator="+"))',
      [...VISITS, ...events('v=5')],
      events('v=1+2+3', 'v=4+5'),
    ],
    ['session()', [], []],
  ],
  series: [
    ['series([m], separator=";")', METHODS, [{ '@timestamp': '1000', _duration: '8000', m: 'GET;POST;GET' }]],
    [
      'series(m, separator=";", maxpause=5s)',
      METHODS,
      [
        { '@timestamp': '1000', _duration: '500', m: 'GET;POST' },
        { '@timestamp': '9000', _duration: '0', m: 'GET' },
      ],
    ],
    [
      'series(collect=[m, n], maxduration=499ms)',
      METHODS,
      [
        { '@timestamp': '1000', _duration: '0', m: 'GET' },
        { '@timestamp': '1500', _duration: '0', m: 'POST', n: '1' },
        { '@timestamp': '9000', _duration: '0', m: 'GET' },
      ],
    ],
    [
      'series(m, startmatch={ m=POST }, endmatch={ other=x })',
      METHODS,
      [{ '@timestamp': '1500', _duration: '0', m: 'POST' }],
    ],
    [
      'series(m, startmatch={ m=GET }, separator=",")',
      METHODS,
      [
        { '@timestamp': '1000', _duration: '500', m: 'GET,POST' },
        { '@timestamp': '9000', _duration: '0', m: 'GET' },
      ],
    ],
    [
      'series(m, endmatch={ m=POST }, separator=",")',
      METHODS,
      [
        { '@timestamp': '1000', _duration: '500', m: 'GET,POST' },
        { '@timestamp': '9000', _duration: '0', m: 'GET' },
      ],
    ],
    [
      'series(m, memlimit=5B, separator=",")',
      METHODS,
      [{ '@timestamp': '1000', _duration: '8000', m: 'GET' }],
    ],
    ['series(nope)', METHODS, []],
  ],
  window: [
    [
      'timeChart(span=1s, function=[sum(v), window(avg(v), buckets=3)]) | round(_avg) | select([_sum, _avg])',
      BUCKETS,
      events(
        '_sum=1',
        '_sum=3',
        '_sum=5',
        '_sum=2 _avg=3',
        '_sum=1 _avg=3',
        '_sum=3 _avg=3',
        '_sum=5 _avg=2',
      ),
      SEVEN,
    ],
    [
      'bucket(span=1s, function=window(span=2100ms)) | _bucket >= 1000',
      BUCKETS.filter(({ v }) => v !== '2'),
      events(
        '_bucket=1000',
        '_bucket=2000 _count=2',
        '_bucket=3000 _count=2',
        '_bucket=4000 _count=1',
        '_bucket=5000 _count=1',
        '_bucket=6000 _count=2',
      ),
      SEVEN,
    ],
    [
      'timeChart(v, span=2s, limit=1, function={ window(count(as=n), buckets=1) | n > 0 })',
      BUCKETS,
      events('_bucket=0 v=1', '_bucket=2000 v=1 n=1', '_bucket=4000 v=1', '_bucket=6000 v=1 n=1'),
      SEVEN,
    ],
    [
      'timeChart(span=1s, function=window(buckets=2))',
      [],
      events('_bucket=0', '_bucket=1000', '_bucket=2000 _count=0'),
      { start: 0, end: 2999 },
    ],
    ['timeChart(span=1s, function=window(buckets=9)) | _count=*', BUCKETS, [], SEVEN],
  ],
  correlate: [
    [
      'correlate(a: { type=login } include: [host], b: { type=move | user <=> a.user } include: [to])',
      ATTACK,
      [
        {
          '@timestamp': '1000',
          '@id': 'e1',
          'a.@timestamp': '1000',
          'a.@id': 'e1',
          'a.user': 'ann',
          'a.host': 'h1',
          'b.@timestamp': '3000',
          'b.@id': 'e3',
          'b.user': 'ann',
          'b.to': 'h9',
        },
        {
          '@timestamp': '2000',
          '@id': 'e2',
          'a.@timestamp': '2000',
          'a.@id': 'e2',
          'a.user': 'bob',
          'a.host': 'h2',
          'b.@timestamp': '500',
          'b.@id': 'e0',
          'b.user': 'bob',
          'b.to': 'h7',
        },
      ],
    ],
    ...(
      [
        ['sequence=true', ['e1 e3']],
        ['within=1s', []],
        ['within=2s', ['e1 e3', 'e2 e0']],
        ['maxPerRoot=5', ['e1 e3', 'e1 e4', 'e2 e0']],
        ['root=b', ['e2 e0', 'e1 e3', 'e1 e4']],
        ['root=b, includeMatchesOnceOnly=true', ['e2 e0', 'e1 e3']],
        ['sequence=true, jitterTolerance=2s', ['e1 e3', 'e2 e0']],
        ['sequence=true, sequenceBy=user', []],
        ['sequence=true, sequenceBy=[@timestamp]', ['e1 e3']],
        ['sequence=true, sequenceBy=[same, @timestamp]', []],
        ['maxPerRoot=2000', ['e1 e3', 'e1 e4', 'e2 e0']],
        ['iterationLimit=3', ['e1 e3', 'e2 e0']],
      ] as const
    ).map(
      ([option, pairs]) =>
        [
          `correlate(a: { type=login }, b: { type=move user <=> a.user }, ${option}) | x := format("%s %s", field=[a.@id, b.@id]) | select(x)`,
          ATTACK,
          pairs.map((x) => ({ x })),
        ] as const,
    ),
    [
      // The second field breaks ties of the first.
      'correlate(a: { t=1 }, b: { t=2 }, sequence=true, sequenceBy=[day, n], maxPerRoot=3) | select([a.@id, b.@id])',
      events(
        '@timestamp=3 @id=x t=1 day=1 n=2',
        '@timestamp=1 @id=y t=2 day=1 n=1',
        '@timestamp=2 @id=z t=2 day=1 n=3',
        '@timestamp=4 @id=w t=2 day=1',
      ),
      [{ 'a.@id': 'x', 'b.@id': 'z' }],
    ],
    [
      'correlate(a: { type=login }, b: { type=move }, globalConstraints=[user], includeConstraintValues=false) | select([a.user, b.user, b.@id])',
      ATTACK,
      [{ 'b.@id': 'e3' }, { 'b.@id': 'e0' }],
    ],
    [
      'correlate(a: { type=login | w := upper(user) }, b: { type=move } include: *, c: { to=h8 | user <=> b.user }, globalConstraints=user, maxPerRoot=9) | select([a.@id, b.to, c.@id])',
      ATTACK,
      [{ 'a.@id': 'e1', 'b.to': 'h9', 'c.@id': 'e4' }],
    ],
    ['correlate(a: { type=login }, b: { type=none | user <=> a.user })', ATTACK, []],
  ],
};
