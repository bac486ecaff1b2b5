import { events } from '../run-query.ts';
import type { GoldenCases } from './golden-case.ts';

/** An array of objects whose second one has no name, and one after a gap. */
const CARS = {
  shop: 'b',
  'cars[0].name': 'Ant',
  'cars[0].doors[0]': 'left',
  'cars[1].price': '7',
  'cars[2].name': 'Cow',
  'cars[4].name': 'Eel',
};

export const arrayCases: GoldenCases = {
  'array:contains': [
    [
      'array:contains("a[]", value="x")',
      events('a[0]=w a[1]=x', 'a[0]=w', 'a=x', ''),
      events('a[0]=w a[1]=x'),
    ],
    ['array:contains(array=a, value=x)', events('a[0]=x', 'a[0]=xy'), events('a[0]=x')],
    ['array:contains(a[], value="x*")', events('a[0]=xy', 'a[0]=x*'), events('a[0]=x*')],
    ['array:contains("a[]", value=x)', events('a[0]=w a[2]=x'), []],
    ['not array:contains("a[]", value=x)', events('a[0]=x', 'a[0]=y', ''), events('', 'a[0]=y')],
    [
      'array:contains("a[]", value=?v)',
      events('a[0]=x', 'a[0]=y'),
      events('a[0]=y'),
      { arguments: { v: 'y' } },
    ],
    [
      'array:contains("a.b[1].c[]", value=x)',
      events('a.b[1].c[0]=x', 'a.b[0].c[0]=x'),
      events('a.b[1].c[0]=x'),
    ],
    ['r := if(array:contains("a[]", value=x), then=1, else=2)', events('a[0]=x'), events('a[0]=x r=1')],
  ],
  'array:regex': [
    ['array:regex("a[]", regex="^.b")', events('a[0]=x a[1]=ab', 'a[0]=b'), events('a[0]=x a[1]=ab')],
    ['array:regex("a[]", regex="^B$", flags=i)', events('a[0]=b', 'a[0]=bb', 'a=b'), events('a[0]=b')],
    ['!array:regex("a[]", regex=/b/)', events('a[0]=b', ''), events('')],
    ['array:regex("a[]", regex="(?<x>b)")', events('a[0]=b'), events('a[0]=b')],
  ],
  'array:exists': [
    [
      'array:exists("a[]", var=x, condition={ x=3 OR x=4 | test(x>=b) })',
      events('a[0]=1 a[1]=3 b=4', 'a[0]=1 a[1]=4 b=4'),
      events('a[0]=1 a[1]=4 b=4'),
    ],
    [
      'array:exists("v.a[]", condition=in(field=v.a, values=["X", "y*"], ignoreCase=true))',
      events('v.a[0]=w v.a[1]=x', 'v.a[0]=w v.a[1]=YY', 'v.a[0]=w', 'v.a=x', ''),
      events('v.a[0]=w v.a[1]=YY', 'v.a[0]=w v.a[1]=x'),
    ],
    [
      'array:exists("a[]", var=x, condition=if(x > b, then=true, else=false))',
      events('a[0]=1 a[1]=3 b=2', 'a[0]=1 b=2'),
      events('a[0]=1 a[1]=3 b=2'),
    ],
    [
      'array:exists("a[]", var=x, condition={ y := x * 2 | y > 5 })',
      events('a[0]=1 a[1]=3 x=9', 'a[0]=2 a[1]=z y=1'),
      events('a[0]=1 a[1]=3 x=9'),
    ],
    [
      'array:exists("a[]", var=x, condition={ x=/(?<n>\\d)/ | test(n == b) })',
      events('a[0]=x1 a[1]=x2 b=2', 'a[0]=x1 b=2'),
      events('a[0]=x1 a[1]=x2 b=2'),
    ],
    [
      'not array:exists("a[]", var=x, condition={ x=1 })',
      events('a[0]=1', 'a[0]=2', ''),
      events('', 'a[0]=2'),
    ],
    [
      'array:exists("a[]", var=x, condition={ array:exists("b[]", var=y, condition={ test(x == y) }) })',
      events('a[0]=1 a[1]=2 b[0]=0 b[1]=2', 'a[0]=1 b[0]=2'),
      events('a[0]=1 a[1]=2 b[0]=0 b[1]=2'),
    ],
  ],
  'objectArray:exists': [
    ['objectArray:exists("cars[]", var=x, condition={ x.name="Cow" })', [CARS, { cars: 'Cow' }], [CARS]],
    ['objectArray:exists("cars[]", condition={ cars.name =~ in(values=["Ant"]) })', [CARS], [CARS]],
    ['objectArray:exists("cars[]", condition={ cars[].price > 6 })', [CARS], [CARS]],
    ['objectArray:exists("cars[]", var=x, condition={ x.doors[0]=left shop=b })', [CARS], [CARS]],
    ['objectArray:exists("cars[]", var=x, condition={ x.name=Cow x.doors[0]=left })', [CARS], []],
    ['objectArray:exists("cars[]", var=x, condition={ x.name=Eel })', [CARS], []],
    ['not objectArray:exists("cars[]", var=x, condition={ x.name=Ant })', [CARS, {}], [{}]],
    [
      'objectArray:exists("m[]", var=x, condition={ x[1]=4 })',
      events('m[0][0]=1 m[0][1]=2 m[1][0]=3 m[1][1]=4'),
      events('m[0][0]=1 m[0][1]=2 m[1][0]=3 m[1][1]=4'),
    ],
    ['objectArray:exists("a[]", var=x, condition={ x=2 })', events('a[0]=1 a[1]=2'), events('a[0]=1 a[1]=2')],
  ],
  'array:length': [
    [
      'array:length("a[]")',
      events('a[0]=x a[1]=y a[3]=z', 'a=x', ''),
      events('_length=0', 'a=x _length=0', 'a[0]=x a[1]=y a[3]=z _length=2'),
    ],
    ['n := array:length(a) | m := n - 1', events('a[0]=x'), events('a[0]=x n=1 m=0')],
    ['array:length("a[]", as=n)', events('a[0]='), events('a[0]= n=1')],
  ],
  'array:append': [
    ['array:append("a[]", values=["x", b, nope])', events('a[0]=w b=1'), events('a[0]=w b=1 a[1]=x a[2]=1')],
    ['array:append(a, values=b + 1)', events('b=1', 'b=x'), events('b=x', 'b=1 a[0]=2')],
    ['array:append("a[]", values=["x"])', events('a[0]=w a[2]=y'), events('a[0]=w a[2]=y a[1]=x')],
  ],
  'array:drop': [
    ['array:drop("a[]")', events('a[0]=x a[1]=y a[3]=z b=1', 'a=x'), events('a=x', 'a[3]=z b=1')],
    ['array:drop(array=a)', events('a[0]=x'), events('')],
  ],
  'array:rename': [
    [
      'array:rename("a[]", asArray="b[]")',
      events('a[0]=x a[2]=z b[0]=1 b[1]=2', 'b[0]=1'),
      events('b[0]=1', 'a[2]=z b[0]=x'),
    ],
    ['array:rename("a[]", asArray="a[]")', events('a[0]=x a[1]=y'), events('a[0]=x a[1]=y')],
  ],
  'array:dedup': [
    [
      'array:dedup("a[]")',
      events('a[0]=x a[1]=y a[2]=x a[3]=X', 'a=x'),
      events('a=x', 'a[0]=x a[1]=y a[2]=X'),
    ],
    [
      'array:dedup("a[]", asArray="b[]")',
      events('a[0]=x a[1]=x b[0]=1 b[1]=2', 'b[0]=1'),
      events('b[0]=1', 'a[0]=x a[1]=x b[0]=x'),
    ],
  ],
  'array:sort': [
    [
      'array:sort("a[]")',
      events('a[0]=b a[1]=C a[2]=a a[3]=10 a[4]=9'),
      events('a[0]=10 a[1]=9 a[2]=a a[3]=b a[4]=C'),
    ],
    ['array:sort("a[]", order=desc)', events('a[0]=b a[1]=C a[2]=a'), events('a[0]=C a[1]=b a[2]=a')],
    [
      'array:sort("a[]", type=number)',
      events('a[0]=x a[1]=10 a[2]=9 a[3]=-1 a[4]=b'),
      events('a[0]=-1 a[1]=9 a[2]=10 a[3]=b a[4]=x'),
    ],
    [
      'array:sort("a[]", type=number, order=descending)',
      events('a[0]=b a[1]=10 a[2]=9 a[3]=x', 'a=1'),
      events('a=1', 'a[0]=10 a[1]=9 a[2]=x a[3]=b'),
    ],
    [
      'array:sort("a[]", asArray="b[]")',
      events('a[0]=y a[1]=x b[0]=1 b[1]=2 b[2]=3'),
      events('a[0]=y a[1]=x b[0]=x b[1]=y b[2]=3'),
    ],
  ],
  'array:filter': [
    [
      'array:filter("a[]", var=x, function={ x=/\\.(exe|dll)/i })',
      events('a[0]=p.EXE a[1]=q.txt a[2]=r.dll', 'a[0]=q', 'a=p.exe'),
      events('a=p.exe', '', 'a[0]=p.EXE a[1]=r.dll'),
    ],
    [
      'array:filter(array="a[]", function=in(a, values=[x]))',
      events('a[0]=w a[1]=x a[2]=x'),
      events('a[0]=x a[1]=x'),
    ],
    [
      'array:filter("a[]", var=x, function={ x := x * 2 | test(x > b) }, asArray="c[]")',
      events('a[0]=1 a[1]=2 a[2]=3 b=3 c[0]=u c[1]=v c[2]=w', 'c[0]=u'),
      events('c[0]=u', 'a[0]=1 a[1]=2 a[2]=3 b=3 c[0]=2 c[1]=3'),
    ],
  ],
  'array:eval': [
    [
      'array:eval("a[]", var=x, asArray="out[]", function={ out := x * x })',
      events('a[0]=2 a[1]=z a[2]=3', 'a=2'),
      events('a=2', 'a[0]=2 a[1]=z a[2]=3 out[0]=4 out[1]=9'),
    ],
    [
      'array:eval("a[]", function={ a := a + b })',
      events('a[0]=2 a[1]=z a[2]=3 b=1'),
      events('a[0]=3 a[1]=z a[2]=4 b=1'),
    ],
    [
      'array:eval("a[]", var=x, asArray="out[]", function={ case { x > 2 | out := "big"; x=1 | out := "one" } })',
      events('a[0]=1 a[1]=2 a[2]=3 out=kept out[0]=a out[1]=b out[2]=c'),
      events('a[0]=1 a[1]=2 a[2]=3 out=kept out[0]=one out[1]=big'),
    ],
    [
      'array:eval("a[]", var=x, asArray="out[]", function={ y := x | x > 1 | out := format("%s%s", field=[x, y]) })',
      events('a[0]=1 a[1]=2'),
      events('a[0]=1 a[1]=2 out[0]=22'),
    ],
    ['array:eval("a[]", asArray="o[]", function=upper(a, as=o))', events('a[0]=x'), events('a[0]=x o[0]=X')],
  ],
  'objectArray:eval': [
    [
      'objectArray:eval("cars[]", asArray="names[]", var=x, function={ names := x.name }) | select(["names[0]", "names[1]", "names[2]", "names[4]"])',
      [CARS],
      [{ 'names[0]': 'Ant', 'names[1]': 'Cow', 'names[2]': 'Eel' }],
    ],
    [
      'objectArray:eval("cars[]", asArray="out[]", function={ cars.name=/o/ | out := format("%s/%s", field=[shop, cars.name]) }) | select(["out[0]", "out[1]"])',
      [{ ...CARS, 'out[0]': 'old', 'out[1]': 'old' }],
      [{ 'out[0]': 'b/Cow' }],
    ],
    [
      'objectArray:eval("p[]", function={ m := concat([p[].a, p[].b]) }, asArray="m[]")',
      events('p[0].a=1 p[0].b=2 p[1].a=3'),
      events('p[0].a=1 p[0].b=2 p[1].a=3 m[0]=12 m[1]=3'),
    ],
    [
      'objectArray:eval("t[]", asArray="n[]", var=x, function={ n := splitString(field=x, by=" :: ", index=1) })',
      [{ 't[0]': 'a :: b', 't[1]': 'c', 't[2]': 'd :: e' }],
      [{ 't[0]': 'a :: b', 't[1]': 'c', 't[2]': 'd :: e', 'n[0]': 'b', 'n[1]': 'e' }],
    ],
    ['objectArray:eval("a[]", asArray="b[]", function={ b := a })', events('a=1'), events('a=1')],
  ],
  'array:reduceAll': [
    [
      'array:reduceAll("a[]", var=v, function=[max(v), count()])',
      events('a[0]=1 a[1]=5', 'a[0]=9', 'a=10'),
      events('_max=9 _count=3'),
    ],
    [
      'array:reduceAll("a[]", var=v, function=[groupBy(v, function=tail(1))])',
      events('@timestamp=1 a[0]=x a[1]=y h=1', '@timestamp=2 a[0]=x h=2'),
      events('v=x @timestamp=2 h=2', 'v=y @timestamp=1 h=1'),
    ],
    ['array:reduceAll(a, var="a", function=groupBy(a))', events('a[0]=x a[1]=x'), events('a=x _count=2')],
    ['array:reduceAll("a[]", var=v, function=count())', events('b=1'), events('_count=0')],
    [
      'array:reduceAll("a[]", var=v, function={ test(v > min) | sum(v) })',
      events('a[0]=1 a[1]=5 a[2]=7 min=2'),
      events('_sum=12'),
    ],
  ],
  'array:reduceRow': [
    [
      'array:reduceRow("a[]", var=x, function=avg(x))',
      events('a[0]=16 a[1]=32', 'a[0]=z', ''),
      events('', 'a[0]=z', 'a[0]=16 a[1]=32 _avg=24'),
    ],
    [
      'r := array:reduceRow(a, var=x, function={ test(x > b) | count(as=n) })',
      events('a[0]=1 a[1]=3 b=2'),
      events('a[0]=1 a[1]=3 b=2 r.n=1'),
    ],
  ],
  'array:reduceColumn': [
    [
      'ages := array:reduceColumn("t[]", var=x, function=avg(x))',
      events('t[0]=1 t[1]=2', 't[0]=3'),
      [{ 'ages[0]': '2', 'ages[1]': '2' }],
    ],
    [
      'array:reduceColumn(t, var=x, function={ time := max(x) }, as=m)',
      events('t[0]=1 t[1]=2 t[2]=3', 't[0]=5 t[1]=1', ''),
      events('m[0].time=5 m[1].time=2 m[2].time=3'),
    ],
    [
      'array:reduceColumn("t[]", var=x, function=[avg(x), count()])',
      events('t[0]=1', 't[0]=3'),
      [{ '_reduceColumn[0]._avg': '2', '_reduceColumn[0]._count': '2' }],
    ],
    [
      'r := array:reduceColumn("t[]", var=x, function=groupBy(x))',
      events('t[0]=a t[1]=c', 't[0]=b t[1]=c'),
      [
        { 'r[0].x': 'a', 'r[0]._count': '1', 'r[1].x': 'c', 'r[1]._count': '2' },
        { 'r[0].x': 'b', 'r[0]._count': '1' },
      ],
    ],
    ['array:reduceColumn("t[]", var=x, function=max(x))', events('t=1'), []],
  ],
  'array:union': [
    [
      'array:union("a[]")',
      events('a[0]=x a[1]=y', 'a[0]=y a[1]=z', 'a=w'),
      events('_union[0]=x _union[1]=y _union[2]=z'),
    ],
    ['array:union(a, as=u) | split(u)', events('a[0]=x', 'a[0]=y'), events('u=x _index=0', 'u=y _index=1')],
    ['array:union("a[]")', events(''), []],
  ],
  'array:intersection': [
    ['array:intersection("a[]")', events('a[0]=x a[1]=y', 'a[0]=z a[1]=y'), events('_intersection[0]=y')],
    ['i := array:intersection(a)', events('a[0]=x', 'a[0]=x a[1]=x'), events('i[0]=x')],
    ['array:intersection("a[]")', events('b=1', 'a[0]=x', 'c=1'), events('_intersection[0]=x')],
    ['array:intersection("a[]")', events('a[0]=x', 'a[0]=y'), []],
  ],
  split: [
    [
      'split(a)',
      events('@id=e a[0]=x a[1]=y a[3]=z b=1', 'b=2', 'a=3'),
      events('@id=e__1 b=1 a=y _index=1', '@id=e__0 b=1 a=x _index=0'),
    ],
    [
      'split("cars")',
      [CARS],
      [
        { shop: 'b', 'cars.name': 'Cow', _index: '2' },
        { shop: 'b', 'cars.price': '7', _index: '1' },
        { shop: 'b', 'cars.name': 'Ant', 'cars.doors[0]': 'left', _index: '0' },
      ],
    ],
    [
      'split(a[], strip=true)',
      events('a[0].n=1 a[1].n=2 a[2]=v'),
      events('a=v _index=2', 'n=2 _index=1', 'n=1 _index=0'),
    ],
    ['split()', events('_events[0].n=1'), events('_events.n=1 _index=0')],
    [
      'split("")',
      events('[0].x=1 [1].x=2'),
      [
        { '.x': '2', _index: '1' },
        { '.x': '1', _index: '0' },
      ],
    ],
    ['split("", strip=true)', events('[0].x=1'), events('x=1 _index=0')],
    ['split(a) | "needle"', events('a[0]=needle a[1]=hay'), events('a=hay _index=1', 'a=needle _index=0')],
    ['split(m)', events('m[0][0]=1 m[0][1]=2'), events('m[0]=1 m[1]=2 _index=0')],
  ],
  concatArray: [
    [
      'concatArray(server, prefix="[", separator=",", suffix="]")',
      events('server[0]=a server[1]=b server[3]=d', 'server=a'),
      events('server=a', 'server[0]=a server[1]=b server[3]=d _concatArray=[a,b]'),
    ],
    ['s := concatArray("a[]")', events('a[0]=x a[1]=y'), events('a[0]=x a[1]=y s=xy')],
    [
      'concatArray(a, from=1, to=2, separator="-", as=s)',
      events('a[0]=w a[1]=x a[2]=y a[3]=z'),
      events('a[0]=w a[1]=x a[2]=y a[3]=z s=x-y'),
    ],
    ['concatArray(a, from=2)', events('a[0]=w a[1]=x'), events('a[0]=w a[1]=x')],
    ['a =~ concatArray(as=a)', events('a[0]=x'), events('a[0]=x a=x')],
  ],
};
