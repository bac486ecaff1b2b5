import { events } from '../run-query.ts';
import type { GoldenCases } from './golden-case.ts';

/** Per function, its result for a number, and a number without a result. */
const MATH: Readonly<
  Record<string, { readonly of: string; readonly is: string; readonly nothingOf?: string }>
> = {
  abs: { of: '-3.5', is: '3.5' },
  arccos: { of: '1', is: '0', nothingOf: '2' },
  arcsin: { of: '0', is: '0', nothingOf: '-2' },
  arctan: { of: '1', is: '0.7853981633974483' },
  ceil: { of: '1.2', is: '2' },
  cos: { of: '0', is: '1' },
  cosh: { of: '0', is: '1', nothingOf: '1000' },
  deg2rad: { of: '180', is: '3.141592653589793' },
  exp: { of: '0', is: '1', nothingOf: '1000' },
  expm1: { of: '0', is: '0' },
  floor: { of: '-1.2', is: '-2' },
  log: { of: '1', is: '0', nothingOf: '0' },
  log10: { of: '1000', is: '3', nothingOf: '-1' },
  log1p: { of: '0', is: '0', nothingOf: '-2' },
  log2: { of: '8', is: '3', nothingOf: '0' },
  rad2deg: { of: '3.141592653589793', is: '180' },
  sin: { of: '0', is: '0' },
  sinh: { of: '0', is: '0' },
  sqrt: { of: '16', is: '4', nothingOf: '-1' },
  tan: { of: '0', is: '0' },
  tanh: { of: '0', is: '0' },
};

const mathCases: GoldenCases = Object.fromEntries(
  Object.entries(MATH).map(([name, { of, is, nothingOf = 'text' }]) => [
    `math:${name}`,
    [
      [
        `math:${name}(a)`,
        events(`a=${of}`, `a=${nothingOf}`, 'b=1'),
        events('b=1', `a=${nothingOf}`, `a=${of} _${name}=${is}`),
      ],
      [`r := math:${name}(field=a)`, events(`a=${of}`), events(`a=${of} r=${is}`)],
      [`math:${name}(a, as=a)`, events(`a=${of}`, 'a=x'), events('a=x', `a=${is}`)],
    ],
  ]),
);

export const numberCases: GoldenCases = {
  ...mathCases,
  'math:arctan2': [
    [
      'math:arctan2(x=a, y=b)',
      events('a=0 b=1', 'a=1', 'a=x b=1'),
      events('a=x b=1', 'a=1', 'a=0 b=1 _arctan2=1.5707963267948966'),
    ],
    ['r := math:arctan2(x=1, y=0)', [{}], [{ r: '0' }]],
  ],
  'math:mod': [
    [
      'math:mod(a, divisor=3)',
      events('a=7', 'a=-7', 'a=6', 'a=x', ''),
      events('', 'a=x', 'a=6 _mod=0', 'a=-7 _mod=2', 'a=7 _mod=1'),
    ],
    [
      'r := math:mod(a, divisor=d)',
      events('a=7 d=-3', 'a=7 d=0', 'a=5.5 d=2', 'a=7'),
      events('a=7', 'a=5.5 d=2 r=1', 'a=7 d=0', 'a=7 d=-3 r=-2'),
    ],
  ],
  'math:pow': [
    ['math:pow(a, exponent=2)', events('a=3', 'a=x'), events('a=x', 'a=3 _pow=9')],
    [
      'r := math:pow(a, exponent=e)',
      events('a=4 e=0.5', 'a=-4 e=0.5', 'a=4'),
      events('a=4', 'a=-4 e=0.5', 'a=4 e=0.5 r=2'),
    ],
  ],
  'math:spherical2cartesian': [
    [
      'math:spherical2cartesian(azimuth=a, polar=p)',
      events('a=0 p=0', 'a=0'),
      [
        { a: '0' },
        {
          a: '0',
          p: '0',
          '_spherical2cartesian.x': '1',
          '_spherical2cartesian.y': '0',
          '_spherical2cartesian.z': '0',
        },
      ],
    ],
    [
      'math:spherical2cartesian(azimuth=0, polar=90, radius=r, as=c) | round(c.x) | round(c.z)',
      events('r=2'),
      [{ r: '2', 'c.x': '0', 'c.y': '0', 'c.z': '2' }],
    ],
  ],
  'unit:convert': [
    [
      'unit:convert(s)',
      [{ s: '5 MB' }, { s: '5 MiB' }, { s: 'big' }, {}],
      [{}, { s: 'big' }, { s: '5242880' }, { s: '5000000' }],
    ],
    [
      'unit:convert(s)',
      [{ s: '514 ms' }, { s: '1.5kB' }, { s: '7' }],
      [{ s: '7' }, { s: '1500' }, { s: '0.514' }],
    ],
    ['k := unit:convert(s, to=k)', events('s=1500', 's=x'), events('s=x', 's=1500 k=1.5')],
    ['unit:convert(s, from=Mi, to=Gi)', events('s=512'), events('s=0.5')],
    ['unit:convert(s, from="M", to="G", as=g)', events('s=512'), events('s=512 g=0.512')],
    ['unit:convert(field=s, from="B", to="GB")', events('s=2500000000'), events('s=2.5')],
    ['unit:convert(s, to="G", binary=true)', events('s=536870912'), events('s=0.5')],
    [
      'unit:convert(s, binary=true)',
      [{ s: '5 kB' }, { s: '5 KB' }, { s: '5 ms' }],
      [{ s: '0.005' }, { s: '5120' }, { s: '5120' }],
    ],
    ['unit:convert(size, from=KiB)', events('size=4'), events('size=4096')],
    [
      'unit:convert(s, unit=hits)',
      events('s=150hits/min', 's=25hits/s', 's=3khits/h', 's=5misses', 's=5'),
      events('s=5', 's=5misses', 's=0.8333333333333334', 's=25', 's=2.5'),
    ],
    ['unit:convert(s, to="MB/min")', [{ s: '1 MB/s' }, { s: '5 MB' }], [{ s: '5 MB' }, { s: '60' }]],
    ['unit:convert(s, to=kB)', [{ s: '5 kg' }], [{ s: '5 kg' }]],
    [
      'unit:convert(s, keepUnit=true)',
      [{ s: '5 kB' }, { s: '6 MB/min' }, { s: '1' }],
      [{ s: '1' }, { s: '100000 B/s' }, { s: '5000 B' }],
    ],
    ['unit:convert(s, to=k, keepUnit=true)', [{ s: '5 MB' }], [{ s: '5000 kB' }]],
    ['s =~ unit:convert(to=k)', events('s=1'), events('s=0.001')],
  ],
  duration: [
    ['duration("2d")', [{}], [{ _duration: '172800000' }]],
    [
      'test(@timestamp < (end() - duration(1s)))',
      events('@timestamp=8999', '@timestamp=9000'),
      events('@timestamp=8999'),
    ],
    ['d := duration(5min)', [{}], [{ d: '300000' }]],
  ],
  formatDuration: [
    [
      'formatDuration(d)',
      events('d=23452553', 'd=1.5', 'd=x', ''),
      events('', 'd=x', 'd=1.5', 'd=6h30m52s553ms'),
    ],
    ['formatDuration(d, precision=3)', events('d=23452553'), events('d=6h30m52s')],
    [
      'r := formatDuration(d, from=s, precision=2)',
      events('d=90061', 'd=86405'),
      events('d=86405 r=1d5s', 'd=90061 r=1d1h'),
    ],
    ['formatDuration(field=d, from=ns, as=r)', events('d=1002003'), events('d=1002003 r=1ms2us3ns')],
    ['formatDuration(d, from=d)', events('d=400', 'd=-3', 'd=0'), events('d=0d', 'd=-3d', 'd=400d')],
    ['formatDuration(d)', events('d=0', 'd=-61000'), events('d=-1m1s', 'd=0ms')],
    ['formatDuration(d, from=m)', events('d=61'), events('d=1h1m')],
    ['formatDuration(d, from=us)', events('d=1000001'), events('d=1s1us')],
    ['formatDuration(d, from=h)', events('d=25'), events('d=1d1h')],
  ],
};
