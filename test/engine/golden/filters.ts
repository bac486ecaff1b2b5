import { events } from '../run-query.ts';
import type { GoldenCases } from './golden-case.ts';

const NAMES = events('f=alpha', 'f=Beta', 'f=gamma', 'g=alpha');

export const filterCases: GoldenCases = {
  in: [
    ['in(f, values=[alpha, "g*"])', NAMES, events('f=gamma', 'f=alpha')],
    ['in(field=f, values=beta)', NAMES, []],
    ['in(f, values=[beta, "AL*"], ignoreCase=true)', NAMES, events('f=Beta', 'f=alpha')],
    ['not in(f, values=[alpha])', NAMES, events('g=alpha', 'f=gamma', 'f=Beta')],
    ['f =~ in(values=[alpha])', NAMES, events('f=alpha')],
    ['f =~ !in(values=[alpha])', NAMES, events('g=alpha', 'f=gamma', 'f=Beta')],
    ['in(f, values=[?p])', NAMES, events('f=gamma', 'f=Beta', 'f=alpha')],
    ['in(f, values=[?p])', NAMES, events('f=Beta'), { arguments: { p: 'B*' } }],
    ['in(f, values=[?p]) ?{p=alpha}', NAMES, events('f=alpha')],
  ],
  wildcard: [
    ['wildcard(alph)', NAMES, events('g=alpha', 'f=alpha')],
    ['wildcard("bet", ignoreCase=true)', NAMES, events('f=Beta')],
    ['wildcard(field=f, pattern="*A", ignoreCase=true)', NAMES, events('f=gamma', 'f=Beta', 'f=alpha')],
    ['wildcard(field=f, pattern=lph, ignoreCase=true)', NAMES, []],
    ['wildcard(field=[f, g], pattern=alpha)', NAMES, events('g=alpha', 'f=alpha')],
    ['wildcard(field=f, pattern=*)', NAMES, events('f=gamma', 'f=Beta', 'f=alpha')],
    [
      'wildcard(field=f, pattern=?p, includeEverythingOnAsterisk=true)',
      NAMES,
      events('g=alpha', 'f=gamma', 'f=Beta', 'f=alpha'),
    ],
    ['!wildcard(field=f, pattern="*a")', NAMES, events('g=alpha')],
    ['f =~ wildcard("*lph*")', NAMES, events('f=alpha')],
  ],
  test: [
    ['test(a > b)', events('a=10 b=9', 'a=9 b=10', 'a=9'), events('a=10 b=9')],
    ['test(a == "x")', events('a=x', 'a=y', ''), events('a=x')],
    ['test(in(a, values=[x]))', events('a=x', 'a=y'), events('a=x')],
    ['test(a)', events('a=true', 'a=1', 'a=false'), events('a=true')],
    ['not test(a > b)', events('a=1 b=2', 'a=1'), events('a=1', 'a=1 b=2')],
  ],
  regex: [
    ['regex("l(?<letter>.)h", field=f)', NAMES, events('f=alpha letter=p')],
    ['regex("^b", field=f, flags=i)', NAMES, events('f=Beta')],
    ['regex("x(?<d>\\\\d)", field=f, repeat=true)', events('f=x1x2'), events('f=x1x2 d=2', 'f=x1x2 d=1')],
    ['regex("x(?<d>\\d)", field=f, repeat=true, limit=1)', events('f=x1x2'), events('f=x1x2 d=1')],
    ['regex("(?<first>^.)", field=f, strict=false)', events('f=ab', 'g=1'), events('g=1', 'f=ab first=a')],
    ['!regex("a$", field=f)', NAMES, events('g=alpha')],
    ['regex("^b$", field=f)', [{ f: 'a\nb' }], [{ f: 'a\nb' }]],
    ['regex("^b$", field=f, flags=i)', [{ f: 'a\nb' }], []],
    ['regex(?p, field=f)', NAMES, events('f=gamma', 'f=Beta', 'f=alpha')],
  ],
  dropEvent: [
    ['case { f=alpha | dropEvent(); * }', NAMES, events('g=alpha', 'f=gamma', 'f=Beta', 'f=alpha')],
  ],
  'text:contains': [
    ['text:contains(f, substring="et")', NAMES, events('f=Beta')],
    ['text:contains("xay", substring=a)', events('a=a', 'a=b', ''), events('a=a')],
  ],
  'text:startsWith': [['text:startsWith(f, substring="g")', NAMES, events('f=gamma')]],
  'text:endsWith': [['text:endsWith(string=f, substring="ta")', NAMES, events('f=Beta')]],
};
