import { events } from '../run-query.ts';
import type { GoldenCases } from './golden-case.ts';

const JSON_LINE = { '@rawstring': '{"a":{"b":[1,{"c":"x"}]},"n":7.0,"t":true,"z":null,"e":"","o":{}}' };
/** 2023-06-15 14:03:45 UTC */
const TIME = 1686837825000;

export const transformCases: GoldenCases = {
  rename: [
    ['rename(a, as=b)', events('a=1 b=2 c=3', 'b=2'), events('b=2', 'c=3 b=1')],
    ['rename(field=[[a,x],[b,y]])', events('a=1 b=2'), events('x=1 y=2')],
    ['rename([a], as=b)', events('a=1'), events('b=1')],
    ['rename(a, as=a)', events('a=1'), events('a=1')],
    ['b := rename(a)', events('a=1'), events('b=1')],
    ['a =~ rename(as=b)', events('a=1'), events('b=1')],
  ],
  drop: [
    ['drop([a, b])', events('a=1 b=2 c=3'), events('c=3')],
    ['drop(a, b)', events('a=1 b=2 c=3'), events('c=3')],
  ],
  select: [
    ['select([b, a])', events('a=1 b=2 c=3', 'a=1'), events('a=1', 'b=2 a=1')],
    ['select(a)', events('a=1 b=2'), events('a=1')],
  ],
  default: [
    ['default(value=0, field=[a, b])', events('a=1', 'a='), events('a= b=0', 'a=1 b=0')],
    ['default("x y", field=a, replaceEmpty=true)', events('a='), [{ a: 'x y' }]],
    ['a =~ default(0)', events('b=1'), events('b=1 a=0')],
  ],
  eval: [
    ['eval(b=a*2, c=b+1)', events('a=2'), events('a=2 b=4 c=5')],
    ['eval(b=nope+1, c=1)', events('b=x'), events('b=x c=1')],
  ],
  if: [
    [
      'r := if(a > 1, then="big", else=a)',
      events('a=2', 'a=1', 'b=1'),
      events('b=1', 'a=1 r=1', 'a=2 r=big'),
    ],
    ['if(in(a, values=[x]), then=1, else=2)', events('a=x', 'a=y'), events('a=y _if=2', 'a=x _if=1')],
    ['r := if(a=="x", then=if(b=="y", then=1, else=2), else=3)', events('a=x b=y'), events('a=x b=y r=1')],
    ['r := if({a=x or a=y}, then=1, else=2)', events('a=y'), events('a=y r=1')],
  ],
  coalesce: [
    [
      'coalesce([a, b, "none"])',
      events('b=2', 'a= b=2', ''),
      [{ _coalesce: 'none' }, ...events('a= b=2 _coalesce=2', 'b=2 _coalesce=2')],
    ],
    ['r := coalesce([a, b], ignoreEmpty=false)', events('a= b=2'), events('a= b=2 r=')],
    ['r := coalesce([a, b])', events('c=1 r=9'), events('c=1 r=9')],
  ],
  lower: [
    ['lower(a)', events('a=AbC', 'b=1'), events('b=1', 'a=AbC _lower=abc')],
    ['lower(a, type=tr)', events('a=AI'), events('a=AI _lower=aı')],
    ['a := lower(a)', events('a=AbC'), events('a=abc')],
    ['test(lower(a) == "abc")', events('a=AbC', 'a=x'), events('a=AbC')],
  ],
  upper: [['upper(field=a, as=u)', events('a=ab'), events('a=ab u=AB')]],
  length: [
    ['length(a)', [{ a: 'a😀' }], [{ a: 'a😀', _length: '3' }]],
    ['n := length(a) | n > 2', events('a=ab', 'a=abc', ''), events('a=abc n=3')],
  ],
  concat: [
    ['concat([a, b])', events('a=x b=y', 'b=y'), events('b=y _concat=y', 'a=x b=y _concat=xy')],
    ['concat(a, b, as=c)', events('a=x b=y'), events('a=x b=y c=xy')],
  ],
  round: [
    ['round(a)', events('a=1.5', 'a=-1.2', 'a=x'), events('a=x', 'a=-1', 'a=2')],
    ['r := round(a, how=ceil)', events('a=1.2'), events('a=1.2 r=2')],
    ['round(a, how=floor, as=r)', events('a=1.8'), events('a=1.8 r=1')],
  ],
  replace: [
    ['replace("a(.)", with="<$1>", field=f)', events('f=abac'), events('f=<b><c>')],
    [
      'replace("(?<x>b)", with="\\\\$${x}", field=f, as=r)',
      events('f=abc', 'g=1'),
      events('g=1', 'f=abc r=a$bc'),
    ],
    ['replace(regex="B", replacement="-", field=f, flags=i)', events('f=abc'), events('f=a-c')],
    ['f =~ replace("b")', events('f=abc'), events('f=ac')],
    ['replace("^x", with="", field=f)', [{ f: 'xa\nxb' }], [{ f: 'a\nb' }]],
    ['replace("^x", with="", field=f, flags="")', [{ f: 'xa\nxb' }], [{ f: 'a\nxb' }]],
  ],
  now: [
    ['now() | test(_now > a)', events('a=1'), events('a=1 _now=77'), { now: 77 }],
    ['age := (now() - a) / 1000', events('a=1000'), events('a=1000 age=4'), { now: 5000 }],
  ],
  start: [['start()', events('a=1'), events('a=1 _start=5'), { start: 5 }]],
  end: [['e := end()', events('a=1'), events('a=1 e=6'), { end: 6 }]],
  getField: [
    ['b := getField("my-field")', [{ 'my-field': 'x' }], [{ 'my-field': 'x', b: 'x' }]],
    ['getField(a)', events('a=b b=2', 'a=c'), events('a=c', 'a=b b=2 _getField=2')],
  ],
  setField: [['setField(target=a, value=b+1)', events('a=c b=2', 'a=c'), events('a=c', 'a=c b=2 c=3')]],
  formatTime: [
    [`formatTime("%F %T", field=t, as=r)`, events(`t=${TIME}`), [{ t: `${TIME}`, r: '2023-06-15 14:03:45' }]],
    [
      'r := formatTime("%FT%T.%L%z %Z", field=t, timezone="Asia/Dubai")',
      events(`t=${TIME}`),
      [{ t: `${TIME}`, r: '2023-06-15T18:03:45.000+0400 GST' }],
    ],
    [
      'r := formatTime("%e %b %Y %r|%c", field=t)',
      events('t=1686837825'),
      [{ t: '1686837825', r: '15 Jun 2023 02:03:45 PM|Thu Jun 15 14:03:45 Z 2023' }],
    ],
    [
      'r := formatTime("%y %C %j %B %A %I %k %l %p %s %Q %R %D %N", field=t)',
      events(`t=${TIME}`),
      [{ t: `${TIME}`, r: `23 20 166 June Thursday 02 14 2 pm 1686837825 ${TIME} 14:03 06/15/23 000000000` }],
    ],
    [
      'r := formatTime("%A", field=t, locale=de_DE)',
      events(`t=${TIME}`),
      [{ t: `${TIME}`, r: 'Donnerstag' }],
    ],
    [
      'r := formatTime("%a %b %h %H %M %S %L %R %T %p %n%%.%Z", field=t, timezone="Europe/Copenhagen")',
      events('t=1675206000007'),
      [{ t: '1675206000007', r: 'Wed Feb Feb 00 00 00 007 00:00 00:00:00 am \n%.CET' }],
    ],
    [
      'r := formatTime("%B %b %A %a", field=t, locale=fr_FR, timezone="+14:00")',
      events(`t=${TIME}`),
      [{ t: `${TIME}`, r: 'juin juin vendredi ven.' }],
    ],
    [
      'r := formatTime("%z %Z", field=t, timezone="-03:30")',
      events(`t=${TIME}`),
      [{ t: `${TIME}`, r: '-0330 -03:30' }],
    ],
    ['r := formatTime("%A", field=t, locale=en_UAE)', events('t=0'), events('t=0 r=Thursday')],
    ['r := formatTime("%Y %y %C %j %e", field=t)', events('t=0'), [{ t: '0', r: '1970 70 19 001 1' }]],
    [
      'r := formatTime("%s %Q", field=t, unit=milliseconds)',
      events('t=1500.9'),
      [{ t: '1500.9', r: '1 1500' }],
    ],
    [
      'formatTime("%Q", as=r, unit=seconds)',
      events('@timestamp=1.5', '@timestamp=x'),
      events('@timestamp=x', '@timestamp=1.5 r=1500'),
    ],
  ],
  format: [
    [
      'format("%s,%s", field=[a,b])',
      events('a=x b=y', 'a=x'),
      events('a=x _format=x,null', 'a=x b=y _format=x,y'),
    ],
    [
      'format("%X %x %o %#x %hx", field=[a,a,a,a,b], as=r)',
      events('a=42 b=-1'),
      [{ a: '42', b: '-1', r: '2A 2a 52 0x2a ffffffff' }],
    ],
    [
      'format("%e|%,.2f|%.0f|%f", field=[a,b,b,b], as=r)',
      events('a=176.54 b=1234.5'),
      [{ a: '176.54', b: '1234.5', r: '1.765400e+02|1,234.50|1235|1234.500000' }],
    ],
    [
      'format("%5d|%-5d|%05d|%+d|%d", field=[a,a,a,a,b], as=r)',
      events('a=42 b=x'),
      [{ a: '42', b: 'x', r: '   42|42   |00042|+42|null' }],
    ],
    [
      'format("%2$s %1$s %<s %.1s %c%n%%", field=[a,b], as=r)',
      events('a=xyz b=uvw'),
      [{ a: 'xyz', b: 'uvw', r: 'uvw xyz xyz x u\n%' }],
    ],
    [
      'format("%s %b %B %tF %g", field=[a,a,b,t,a], as=r)',
      events(`a=1.5e b=false t=${TIME}`),
      [{ a: '1.5e', b: 'false', t: `${TIME}`, r: '1.5e true FALSE 2023-06-15 null' }],
    ],
    [
      'format("%g %g", field=[a,b], as=r)',
      events('a=0.00001234 b=123.456'),
      [{ a: '0.00001234', b: '123.456', r: '1.23400e-05 123.456' }],
    ],
    ['b := format("%s%s", field=[a,a]) + 1', events('a=2'), events('a=2 b=23')],
  ],
  kvParse: [
    [
      'kvParse() | drop(@rawstring)',
      [{ '@rawstring': 'got id=123, name=\'john doe\' email=j@d q="a \\"b\\"" p = v e= a=b=c' }],
      [{ id: '123', name: 'john doe', email: 'j@d', q: 'a "b"', p: 'v', e: '', a: 'b=c' }],
    ],
    ['kvParse(f)', [{ f: 'a=1 b=2 b=3', a: '0' }], [{ f: 'a=1 b=2 b=3', a: '0', b: '3' }]],
    [
      'kvParse(f, override=true, onDuplicate=keepFirst)',
      [{ f: 'a=1 b=2 b=3', a: '0' }],
      [{ f: 'a=1 b=2 b=3', a: '1', b: '2' }],
    ],
    [
      'kvParse(f, as=user, separator=":", excludeEmpty=true)',
      [{ f: 'a:1 b:' }],
      [{ f: 'a:1 b:', 'user.a': '1' }],
    ],
    ['kvParse(f, separatorPadding=yes)', [{ f: 'a= 1' }], [{ f: 'a= 1', a: '1' }]],
    ['kvParse(f, separatorPadding=no)', [{ f: 'a = 1' }], [{ f: 'a = 1' }]],
    ['kvParse(f) | drop(f)', [{ f: `${'x'.repeat(300_000)} 'q'a=1,"r"b=2` }], events('a=1 b=2')],
  ],
  parseJson: [
    [
      'parseJson() | drop(@rawstring)',
      [JSON_LINE],
      [{ 'a.b[0]': '1', 'a.b[1].c': 'x', n: '7.0', t: 'true', z: 'null', e: '' }],
    ],
    [
      'parseJson(prefix="j.", excludeEmpty=true, handleNull=discard) | drop(@rawstring)',
      [JSON_LINE],
      [{ 'j.a.b[0]': '1', 'j.a.b[1].c': 'x', 'j.n': '7.0', 'j.t': 'true' }],
    ],
    [
      'parseJson(exclude=[a, n], include="a.b[*].c", handleNull=empty) | drop(@rawstring)',
      [JSON_LINE],
      [{ 'a.b[1].c': 'x', t: 'true', z: '', e: '' }],
    ],
    [
      'parseJson(f, removePrefixes=["a.", "a.b."]) | drop(f)',
      [{ f: '{"a":{"b":{"c":1},"d":2}}' }],
      [{ c: '1', d: '2' }],
    ],
    ['parseJson(f) | drop(f)', [{ f: '[{"x":1}]' }], [{ '[0].x': '1' }]],
    [
      'parseJson(f, exclude=[""], include=["a.", "c[*].d", "nope"]) | drop(f)',
      [{ f: '{"a":{"b":1},"ab":2,"c":[{"d":3,"e":4},{"d":5}],"cd":6}' }],
      [{ 'a.b': '1', 'c[0].d': '3', 'c[1].d': '5' }],
    ],
    [
      'parseJson(f, exclude=["a.", b], include=[""], prefix="V.") | drop(f)',
      [{ f: '{"a":{"x":1},"b":{"y":2},"bc":3,"c":4}' }],
      [{ 'V.bc': '3', 'V.c': '4' }],
    ],
    ['parseJson(f, include=[a]) | drop(f)', [{ f: '{"a":1,"b":2}' }], [{ a: '1', b: '2' }]],
    ['parseJson(f, prefix=f)', [{ f: '[1]' }, { g: '1' }], [{ g: '1' }, { f: '[1]', 'f[0]': '1' }]],
    [
      'parseJson(f)',
      [{ f: '{"a":1' }],
      [{ f: '{"a":1', '@error': 'true', '@error_msg': 'The field "f" contains no valid JSON.' }],
    ],
  ],
  splitString: [
    ['splitString(f, by=",")', events('f=a,b'), events('f=a,b _splitstring[0]=a _splitstring[1]=b')],
    ['p := splitString(f, by=",", index=-1)', events('f=a,b', 'g=1'), events('g=1', 'f=a,b p=b')],
    ['splitString(f, by=",", index=5, as=p)', events('f=a,b'), events('f=a,b')],
    ['splitString(f, by="(?<!^)(?=.)", as=c)', events('f=abc'), events('f=abc c[0]=a c[1]=b c[2]=c')],
  ],
};
