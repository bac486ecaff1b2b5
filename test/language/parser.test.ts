import { describe, expect, it } from 'vitest';
import { childrenOf, isFunctionName, parse, type QueryNode } from '../../src/language/index.ts';
import { outline } from './outline.ts';

function check(cases: readonly (readonly [source: string, expected: string])[]): void {
  it.each(cases)('%s', (source, expected) => {
    expect(outline(parse(source))).toBe(expected);
  });
}

describe('The query', () => {
  it.each(['', '   ', '// nothing', '/* nothing */', '|', '| |', '\n|\n// x\n'])(
    'is empty for %j',
    (source) => {
      expect(parse(source)).toMatchObject({ kind: 'Pipeline', steps: [] });
    },
  );

  check([
    ['a', 'text:a'],
    ['| a', 'text:a'],
    ['a |', 'text:a'],
    ['a | | b', 'text:a | text:b'],
    ['| a | | b | |', 'text:a | text:b'],
    ['a // one\n| b /* two */ | // three\n c', 'text:a | text:b | text:c'],
  ]);
});

describe('Precedence in filters: not over or over and', () => {
  check([
    ['a or b c', '(and (or text:a text:b) text:c)'],
    ['a b or c', '(and text:a (or text:b text:c))'],
    ['a and b or c', '(and text:a (or text:b text:c))'],
    ['a or b and c or d', '(and (or text:a text:b) (or text:c text:d))'],
    ['foo and not bar or baz', '(and text:foo (or (not text:bar) text:baz))'],
    ['not a or b', '(or (not text:a) text:b)'],
    ['not a b', '(and (not text:a) text:b)'],
    ['not (a or b)', '(not (or text:a text:b))'],
    ['(a b) or c', '(or (and text:a text:b) text:c)'],
    ['(a or b) or c', '(or (or text:a text:b) text:c)'],
    ['((a)) ((b c))', '(and text:a (and text:b text:c))'],
    ['a b and c d', '(and text:a text:b text:c text:d)'],
    ['a or b or c', '(or text:a text:b text:c)'],
    ['!a !!b', '(and (not text:a) (not (not text:b)))'],
    ['not !a', '(not (not text:a))'],
    ['a AND b Or NOT c', '(and text:a (or text:b (not text:c)))'],
    ['not(a) or(b) and(c)', '(and (or (not text:a) text:b) text:c)'],
    ['x=1 y=2 or z=3', '(and x = 1 (or y = 2 z = 3))'],
  ]);
});

describe('Free text', () => {
  check([
    ['foo', 'text:foo'],
    ['"foo bar"', "text:'foo bar'"],
    ['*', 'text:*'],
    ['-5', 'text:-5'],
    ['/a b/i', 'text:/a b/i'],
    ['?p', 'text:?p'],
    ['?{p=*}', 'text:?p=*'],
    ['"count"', "text:'count'"],
    ['true', '<true>'],
    ['false or "true"', "(or <false> text:'true')"],
    ['TRUE', 'text:TRUE'],
    ['https://www.example.com/', 'text:https://www.example.com/'],
    ['+ a', '(and text:+ text:a)'],
  ]);
});

describe('Comparisons', () => {
  check([
    ['a=b', 'a = b'],
    ['a = *b*', 'a = *b*'],
    ['a="b c"', "a = 'b c'"],
    ['a!=""', "a != ''"],
    ['a=/b/i', 'a = /b/i'],
    ['a != /b\\/c/', 'a != /b/c/'],
    ['foo=m/fisk/i', 'foo = m/fisk/i'],
    ['a=?p', 'a = ?p'],
    ['a=?{p="x y"}', "a = ?p='x y'"],
    ['"host-name"=*', "'host-name' = *"],
    ['a[0].b=c', 'a[0].b = c'],
    ['a like b', 'a like b'],
    ['a LIKE "b"', "a like 'b'"],
    ['a like /b/', 'a like /b/'],
    ['a like ?p', 'a like ?p'],
    ['a<5 b <= -1.5 c>1e3 d>="80"', '(and a < #5 b <= #-1.5 c > #1e3 d >= #80)'],
    ['a > ?limit', 'a > ?limit'],
    ['a <=> Other.b', 'a <=> Other.b'],
    ['400 = x', '400 = x'],
    ['a = -', 'a = -'],
    ['a =b', 'a = b'],
    ['a= ~b', 'a = ~b'],
    ['a=not', 'a = not'],
    ['a=and b=or', '(and a = and b = or)'],
  ]);

  it('remember whether a number was quoted', () => {
    expect(parse('a>"80"').steps[0]).toMatchObject({ value: { kind: 'Number', text: '80', quoted: true } });
    expect(parse('a>80').steps[0]).toMatchObject({ value: { kind: 'Number', text: '80', quoted: false } });
  });

  it('do no arithmetic: the operators are patterns', () => {
    expect(outline(parse('foo < 42 + 3'))).toBe('(and foo < #42 text:+ text:3)');
  });
});

describe('Reserved words', () => {
  it.each(['test=fisk', 'count > 100', 'in=1', 'case=2', 'match!=3', 'like=4', 'timeChart like x'])(
    'are field names before an operator: %s',
    (source) => {
      expect(parse(source).steps[0]).toMatchObject({ kind: 'Comparison' });
    },
  );

  check([
    ['a like=5', '(and text:a like = 5)'],
    ['like like x', 'like like x'],
    ['case := 1', '(assign case 1)'],
    ['match match { a => b }', '(match match {a => text:b})'],
    ['a=count b=in', '(and a = count b = in)'],
  ]);

  it("include the service's functions, in any case", () => {
    for (const name of ['groupBy', 'GROUPBY', 'array:contains', 'math:arctan2', 'time:hour', 'lookup']) {
      expect(isFunctionName(name), name).toBe(true);
    }
    for (const name of ['', 'foo', 'constructor', 'math:', 'group by'])
      expect(isFunctionName(name), name).toBe(false);
  });
});

describe('Calls', () => {
  check([
    ['count()', 'count()'],
    ['COUNT()', 'COUNT()'],
    ['array:contains("a[]", value=x)', "array:contains('a[]', value=x)"],
    ['in(a, values=["b", *c*])', "in(a, values=['b', *c*])"],
    ['!in(a, values=[b]) or not count(b)', '(or (not in(a, values=[b])) (not count(b)))'],
    ['sort(order=desc, "x y", limit=10,)', "sort(order=desc, 'x y', limit=10)"],
    ['f("a b"=1)', "f('a b'=1)"],
    ['f(a, b, c)', 'f(a, b, c)'],
    ['f(-1, !a)', 'f((- 1), (! a))'],
    ['f(/a b/i, regex=/c/)', 'f(/a b/i, regex=/c/)'],
    ['f(span=5m, at=12:30, ip=8.8.8.8)', 'f(span=5m, at=12:30, ip=8.8.8.8)'],
    ['f(include=*)', 'f(include=*)'],
    ['f([], [[a, b], [c, d],])', 'f([], [[a, b], [c, d]])'],
    ['f([n := count(), "m" := max(x)])', "f([(assign n count()), (assign 'm' max(x))])"],
    ['f({})', 'f({})'],
    ['f({ a=1 | count() })', 'f({a = 1 | count()})'],
    ['f(a == b)', 'f((== a b))'],
    ['f(?p, ?{q=r}, ["?s", ?"t u"])', "f(?p, ?q=r, ['?s', ?'t u'])"],
    ['f($q(a=b))', 'f($q(a=b))'],
    ['callFunction(?{function=count}, field=x)', 'callFunction(?function=count, field=x)'],
    ['f(a /* c */, // d\n b)', 'f(a, b)'],
    ['unknown(a) b', '(and unknown(a) text:b)'],
  ]);

  it('have the attributes of correlate()', () => {
    expect(
      outline(parse('correlate(A: {a=1} include: [x, y], B: {b <=> A.a} include: *  other: 5m, within=1h)')),
    ).toBe('correlate(A:{a = 1} include:[x, y], B:{b <=> A.a} include:* other:5m, within=1h)');
  });
});

describe('Expressions', () => {
  check([
    ['x := a', '(assign x a)'],
    ['"x y" := "a"', "(assign 'x y' 'a')"],
    ['foo:=1', '(assign foo 1)'],
    ['x := a+b*c', '(assign x (+ a (* b c)))'],
    ['x := a - b - c', '(assign x (- (- a b) c))'],
    ['x := a - (b - c)', '(assign x (- a (- b c)))'],
    ['x := a / b * c % d', '(assign x (% (* (/ a b) c) d))'],
    ['x := (a + b) * c', '(assign x (* (+ a b) c))'],
    ['x := -a * -b', '(assign x (* (- a) (- b)))'],
    ['x := !!a', '(assign x (! (! a)))'],
    ['x := --a', '(assign x (- (- a)))'],
    ['x := a + 1 == b', '(assign x (== (+ a 1) b))'],
    ['x := (a < b) == (c >= d)', '(assign x (== (< a b) (>= c d)))'],
    ['x := a != b', '(assign x (!= a b))'],
    ['x := a <=> b', '(assign x (<=> a b))'],
    ['x := a*1000', '(assign x (* a 1000))'],
    ['a:=m/fisk/i', '(assign a (/ (/ m fisk) i))'],
    ['x := a%b', '(assign x a%b)'],
    ['x := a %b', '(assign x (% a b))'],
    ['x := ?a*2', '(assign x (* ?a 2))'],
    ['x := lower(a) + f()', '(assign x (+ lower(a) f()))'],
    ['x := if(a > 1, then="b", else=c)', "(assign x if((> a 1), then='b', else=c))"],
    ['x := [a, b]', '(assign x [a, b])'],
    ['x := (("a"))', "(assign x 'a')"],
  ]);
});

describe('Steps', () => {
  check([
    ['ip =~ cidr(subnet="10.0.0.0/8")', "(on ip cidr(subnet='10.0.0.0/8'))"],
    ['a=~!in(values=[b])', '(on a not in(values=[b]))'],
    ['a =~ not in(values=[b])', '(on a not in(values=[b]))'],
    ['"a b" =~ f()', "(on 'a b' f())"],
    ['case { a; b | c; * }', '(case {text:a} {text:b | text:c} {text:*})'],
    ['CASE{a;}', '(case {text:a})'],
    ['case { a | case { b; c } | d; e }', '(case {text:a | (case {text:b} {text:c}) | text:d} {text:e})'],
    ['f match { a => b }', '(match f {a => text:b})'],
    ['"f g" MATCH { "*" => *; * => * ; }', "(match 'f g' {'*' => text:*} {* => text:*})"],
    [
      'f match { /a/i => x := 1 | y; in(values=[1]) => z; ?p => a; ** => b; *FAIL* => c; true => d }',
      '(match f {/a/i => (assign x 1) | text:y} {in(values=[1]) => text:z} {?p => text:a} {** => text:b} {*FAIL* => text:c} {true => text:d})',
    ],
    ['f match { unknown(a) => * }', '(match f {unknown(a) => text:*})'],
    ['[count(), x := max(a)]', '(stats [count(), (assign x max(a))])'],
    ['a | [count()]', 'text:a | (stats [count()])'],
    ['$q()', '$q()'],
    ['$"a b"(c=d)', "$'a b'(c=d)"],
    ['$q(a=b-c, d="e f", g=now() - 1, h=?p, i=[1],)', "$q(a=b-c, d='e f', g=(- now() 1), h=?p, i=[1])"],
  ]);
});

describe('Notes on the grammar', () => {
  it('1: the documented example of precedence is parsed as documented', () => {
    expect(outline(parse('method=GET or status=500 host=a'))).toBe(
      '(and (or method = GET status = 500) host = a)',
    );
  });

  it('2: a pipe between filters is not a conjunction', () => {
    expect(outline(parse('a=1 b=2'))).toBe('(and a = 1 b = 2)');
    expect(outline(parse('a=1 | b=2'))).toBe('a = 1 | b = 2');
  });

  it('4: pipes are accepted before, after and between steps', () => {
    expect(outline(parse('| case { a; | b | ; } |'))).toBe('(case {text:a} {text:b})');
  });

  it('5: a new step starts after a filter without a pipe', () => {
    expect(outline(parse('a=1\nx := b'))).toBe('a = 1 | (assign x b)');
    expect(outline(parse('a=1 b =~ f()'))).toBe('a = 1 | (on b f())');
    expect(outline(parse('a case { b; }'))).toBe('text:a | (case {text:b})');
    expect(outline(parse('a=1 b match { c => d }'))).toBe('a = 1 | (match b {c => text:d})');
    expect(outline(parse('count() $q()'))).toBe('count() | $q()');
  });

  it('6: only known functions are called after "=", and only without whitespace', () => {
    expect(outline(parse('#category=Request(uri=/x/ or uri=/y/)'))).toBe(
      '(and #category = Request (or uri = /x/ uri = /y/))',
    );
    expect(outline(parse('x=ProcessRollup2 (a=1 or b=2)'))).toBe('(and x = ProcessRollup2 (or a = 1 b = 2))');
    expect(outline(parse('x=in(values=[a])'))).toBe('x = in(values=[a])');
    expect(outline(parse('x=in (a)'))).toBe('(and x = in text:a)');
  });

  it('7: comments are accepted everywhere between tokens', () => {
    const source = 'case { // a\n a; /* b */ // c\n b | f([ // d\n x, /* e */ y // f\n ]) // g\n }';
    expect(outline(parse(source))).toBe('(case {text:a} {text:b | f([x, y])})');
  });

  it('8: parentheses around arguments are ignored', () => {
    expect(outline(parse('groupBy(a, function=([count(), max(x)]))'))).toBe(
      'groupBy(a, function=[count(), max(x)])',
    );
    expect(outline(parse('groupBy(a, function=(count()))'))).toBe('groupBy(a, function=count())');
  });

  it('9: a semicolon or comma is accepted after the last clause, element and argument', () => {
    expect(outline(parse('case { a; } | f match { b => c; } | g([x,],)'))).toBe(
      '(case {text:a}) | (match f {b => text:c}) | g([x])',
    );
  });

  it('10: a function call is accepted as a value', () => {
    expect(outline(parse('id = match(file="f.csv", column=id)'))).toBe("id = match(file='f.csv', column=id)");
    expect(outline(parse('id != match(file=f)'))).toBe('id != match(file=f)');
  });

  it('11: a call after "=~" can be negated', () => {
    expect(outline(parse('aid =~ !in(values=[a])'))).toBe('(on aid not in(values=[a]))');
  });

  it('12: named arguments are accepted anywhere and with quoted names', () => {
    expect(outline(parse('f("limit"=5, a, as=b)'))).toBe("f('limit'=5, a, as=b)");
  });

  it('13: several unnamed arguments are accepted', () => {
    expect(outline(parse('table(@timestamp, a, b)'))).toBe('table(@timestamp, a, b)');
  });

  it('14: packages, paths and quotes are accepted in names of saved queries', () => {
    expect(
      outline(parse('$"pkg/name:query name"() | $pkg/name:query() | $falcon/helper:enrich(field=X)')),
    ).toBe("$'pkg/name:query name'() | $pkg/name:query() | $falcon/helper:enrich(field=X)");
  });
});

describe('Parameters', () => {
  check([
    ['a=?"p q"', "a = ?'p q'"],
    ['?{ p = "x y" }', "text:?p='x y'"],
    ['?{"p q"=*}', "text:?'p q'=*"],
    ['?{p}', 'text:?p'],
    ['a=?b-c.d:e@f', 'a = ?b-c.d:e@f'],
    ['f(?a, b=?c)', 'f(?a, b=?c)'],
  ]);
});

describe('Strings', () => {
  it('resolve their escapes and keep single backslashes before other characters', () => {
    expect(parse(String.raw`"a\"\\\n\d"`).steps[0]).toMatchObject({
      value: { text: 'a"\\\n\\d', quoted: true },
    });
    expect(outline(parse(String.raw`regex("(?<n>\S+)")`))).toBe(
      outline(parse(String.raw`regex("(?<n>\\S+)")`)),
    );
  });

  it('can span lines', () => {
    expect(outline(parse('createEvents("{\n}")'))).toBe("createEvents('{\n}')");
  });
});

describe('Spans', () => {
  /** Every descendant of the query as `Kind text`, in source order. */
  function spans(source: string): string[] {
    const found: string[] = [];
    const visit = (node: QueryNode) => {
      for (const child of childrenOf(node)) {
        found.push(`${child.kind} ${source.slice(child.span.start, child.span.end)}`);
        visit(child);
      }
    };
    visit(parse(source));
    return found;
  }

  it('cover what was written, with the parentheses inside and without those outside', () => {
    expect(spans(' (a=1 or not b) // c\n  "d" | x := (1 + y) * 2 ')).toEqual([
      'And (a=1 or not b) // c\n  "d"',
      'Or a=1 or not b',
      'Comparison a=1',
      'Field a',
      'Pattern 1',
      'Not not b',
      'FreeText b',
      'Pattern b',
      'FreeText "d"',
      'Pattern "d"',
      'Assignment x := (1 + y) * 2',
      'Field x',
      'Binary (1 + y) * 2',
      'Binary 1 + y',
      'Bareword 1',
      'Bareword y',
      'Bareword 2',
    ]);
  });

  it('cover calls, their arguments and the parts of arguments', () => {
    expect(spans('f( a = [x, y:=-"z"], { b } , A: {$q(c=?{d=e})} i: 1)')).toEqual([
      'Call f( a = [x, y:=-"z"], { b } , A: {$q(c=?{d=e})} i: 1)',
      'Argument a = [x, y:=-"z"]',
      'Field a',
      'Array [x, y:=-"z"]',
      'Bareword x',
      'Assignment y:=-"z"',
      'Field y',
      'Unary -"z"',
      'String "z"',
      'Argument { b }',
      'Subquery { b }',
      'Pipeline b',
      'FreeText b',
      'Pattern b',
      'Argument A: {$q(c=?{d=e})} i: 1',
      'Subquery A: {$q(c=?{d=e})}',
      'Pipeline $q(c=?{d=e})',
      'SavedQuery $q(c=?{d=e})',
      'Argument c=?{d=e}',
      'Field c',
      'Parameter ?{d=e}',
      'Pattern e',
      'Attribute i: 1',
      'Bareword 1',
    ]);
  });

  it('cover clauses and arms', () => {
    expect(spans('case { a ; | b |} | f match { /r/i => c } | g =~ !h() | [i()] | j > "1"')).toEqual([
      'Case case { a ; | b |}',
      'Pipeline a',
      'FreeText a',
      'Pattern a',
      'Pipeline b',
      'FreeText b',
      'Pattern b',
      'Match f match { /r/i => c }',
      'Field f',
      'MatchArm /r/i => c',
      'Regex /r/i',
      'Pipeline c',
      'FreeText c',
      'Pattern c',
      'FieldCall g =~ !h()',
      'Field g',
      'Call h()',
      'Stats [i()]',
      'Array [i()]',
      'Call i()',
      'Comparison j > "1"',
      'Field j',
      'Number "1"',
    ]);
  });

  it('of call names are separate', () => {
    expect(parse(' count(x)').steps[0]).toMatchObject({
      nameSpan: { start: 1, end: 6 },
      span: { start: 1, end: 9 },
    });
  });
});
