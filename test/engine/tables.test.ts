import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowInput } from '../../src/engine/columns/row-table.ts';
import { compileQuery, type Fields, QueryMemoryError, type Sink, takeAll } from '../../src/engine/index.ts';
import { cases } from '../helpers/laws.ts';
import { libraryOf } from './library.ts';
import { events, refusalOf, rowsOf, runOf } from './run-query.ts';

const library = {
  files: { 'hosts.csv': ['host,owner', 'a,ann', 'b,bob'], 'nets.csv': ['net,name', '10.0.0.0/8,wide'] },
  savedQueries: { errors: 'level=error' },
  repositories: { other: [] },
};

/** Errors by query; « and » enclose the position. */
const REFUSALS: Readonly<Record<string, string>> = {
  'match(«"host.csv"», field=host)': 'There is no lookup file "host.csv". Did you mean "hosts.csv"?',
  'match(«file=completely_different», field=host)':
    'There is no lookup file "completely_different". Known: "hosts.csv", "nets.csv"',
  '«match("hosts.csv")»': 'match() needs the parameter "field": a field name or an array of these',
  'match("hosts.csv", «field=hos»)': 'There is no column "hos". Did you mean "host"?',
  'match("hosts.csv", field=host, «column=nope»)': 'There is no column "nope". Known: "host", "owner"',
  'match("hosts.csv", field=host, «include=[owner, ownr]»)':
    'There is no column "ownr". Did you mean "owner"?',
  'match("hosts.csv", field=[a, b], «column=host»)': '"column" must name one column per field (2)',
  'match("hosts.csv", field=host, mode=«regex»)':
    '"mode" of match() must be one of string, glob, cidr (got regex)',
  'match("hosts.csv", field=host, nrows=«0»)':
    '"nrows" of match() must be an integer from 1 to 500, or max (got 0)',
  'match("nets.csv", «field=[net, name]», mode=cidr)':
    'match() with mode=cidr compares one field with one column',
  'match("nets.csv", field=net, mode=cidr, «nrows=2»)':
    'match() with mode=cidr returns only the row with the smallest subnet',
  'match("hosts.csv", field=host, mode=string, «glob=true»)': `"mode" and the older "glob" of match() can't be combined`,
  'x=1 or «match("hosts.csv", field=host)»':
    'match() changes events here, so it is only allowed at the top level of a step, joined with "and"',
  'defineTable(query={*}, name=t, include=a) | match(«"u"», field=a)':
    'There is no table and no lookup file "u". Known: "t", "hosts.csv", "nets.csv"',
  'defineTable(query={*}, name=t, include=a) | match(t, field=a, «include=[b]»)':
    'There is no column "b". Known: "a"',
  'readFile(«nope.csv»)': 'There is no lookup file "nope.csv". Known: "hosts.csv", "nets.csv"',
  'readFile(«[]»)': 'readFile() needs the name of at least one file',
  'readFile("hosts.csv", «include=[owner, name]»)': 'There is no column "name". Known: "host", "owner"',
  '«matchAsArray("hosts.csv", field=host)»':
    'matchAsArray() needs the parameter "nrows": an integer from 1 to 500, or max',
  'a=1 | «defineTable(query={*}, name=t, include=a)»':
    'defineTable() must come before all other steps of the query',
  'join({«defineTable(query={*}, name=t, include=a)»}, field=a)':
    'defineTable() must come before all other steps of the query',
  'case { «defineTable(query={*}, name=t, include=a)» }':
    'defineTable() must come before all other steps of the query',
  'defineTable(query={*}, name=t, include=a) | defineTable(query={*}, «name=t», include=a)':
    'The table "t" is already defined',
  'defineTable(query=«count()», name=t, include=a)':
    '"query" of defineTable() must be a query in braces: { … } (got count())',
  'defineTable(query={*}, name=t, include=a, start=«soon»)':
    '"start" of defineTable() must be a time such as 7d, 1d@d, now or epoch milliseconds (got soon)',
  'join({*}, field=a, «repo=nope»)': 'There is no repository "nope". Known: "other"',
  'join({*}, field=[a, b], «key=c»)': '"key" must name as many fields as "field" (2)',
  'join({*}, field=a, mode=«outer»)': '"mode" of join() must be one of inner, left (got outer)',
  'join({«cuont»()}, field=a)': 'There is no function "cuont". Did you mean "count"?',
  'x=1 or «join({*}, field=a, include=b)»':
    'join() changes events here, so it is only allowed at the top level of a step, joined with "and"',
  'selfJoinFilter(a, where=[«count»()])':
    'count() is not a filter: it is not allowed under "or" or "not" or in a condition',
  'selfJoinFilter(a, «where=[]»)': 'selfJoinFilter() accepts 1 to 31 filters',
  'case { «selfJoinFilter(a, where={b=1})» }':
    'Functions that read all events first, such as selfJoinFilter(), are not allowed inside case { … }',
  'groupBy(a, function=«{ selfJoinFilter(a, where={b=1}) | count() }»)':
    'Functions that read all events first, such as selfJoinFilter(), are not allowed in an argument',
  'a=1 | «setTimeInterval(start=1d)»':
    'setTimeInterval() must be the first step of the query and is not allowed in a subquery',
  'setTimeInterval(start=1d) | «setTimeInterval(start=1d)»':
    'setTimeInterval() is only allowed once in a query',
  'join({«setTimeInterval(start=1d)»}, field=a)':
    'setTimeInterval() must be the first step of the query and is not allowed in a subquery',
  'x := «defineTable(query={*}, name=t, include=a)»':
    'defineTable() must come before all other steps of the query',
  '«$erors()»': 'There is no saved query "erors". Did you mean "errors"?',
  '$errors(«level»=x)': 'The saved query "errors" has no parameter "level" (none exist)',
};

test.each(Object.entries(REFUSALS))('%s is rejected', (marked, problem) => {
  const [before = '', place = '', after = ''] = marked.split(/[«»]/);
  const error = refusalOf(before + place + after, { library }) as Error & { span: object };
  expect(error.message).toBe(`${problem} (line 1, column ${before.length + 1})`);
  expect(error.span).toEqual({ start: before.length, end: before.length + place.length });
});

describe('Saved queries', () => {
  const savedQueries = {
    errors: 'level=error',
    byHost: '| level=?{level=error} | groupBy(host, function=count(as=n))',
    enrich: 'case { ?field=* | kind := ?{kind="a b"}; * | kind := "none" }',
    failing: '$errors() | host=?host',
    counted: 'level=error | count(as=n)',
    tables: 'defineTable(query={level=error}, name=bad, include=host)',
    loop: 'x=1 | $loop2()',
    loop2: '$loop()',
    broken: 'a=1 | cuont()',
    unparsed: 'a= ',
    outer: 'b=1 | $broken()',
    'pkg/name:query': 'host=?"the host"',
    ...Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`deep${n}`, `$deep${n + 1}()`])),
    ...Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [`many${n}`, `$many${n + 1}() | $many${n + 1}()`]),
    ),
    many12: 'a=1',
  };
  const input = events('level=error host=a', 'level=info host=a', 'level=error host=b');
  const rows = (query: string, given: Record<string, string> = {}): readonly Fields[] =>
    rowsOf(query, input, { library: { savedQueries }, arguments: given });
  const problem = (query: string): string => refusalOf(query, { library: { savedQueries } }).message;

  test('represent their steps, with arguments and defaults, and are checked like them', () => {
    expect(rows('$errors() | select(host)')).toEqual(events('host=b', 'host=a'));
    expect(rows('$byHost()')).toEqual(events('host=a n=1', 'host=b n=1'));
    expect(rows('$byHost(level=info)')).toEqual(events('host=a n=1'));
    expect(rows('$byHost(level="*")')).toEqual(events('host=a n=2', 'host=b n=1'));
    expect(rows('$byHost() | n > 1', { level: '*' })).toEqual(events('host=a n=2'));
    expect(rows('$byHost(level=error) | count()', { level: '*' })).toEqual(events('_count=2'));
    expect(rows('$byHost(level=?nothing)')).toEqual(events('host=a n=1', 'host=b n=1'));
    expect(rows('$byHost(level=?{other=info})')).toEqual(events('host=a n=1'));
    expect(rows('$failing(host=b) | count()')).toEqual(events('_count=1'));
    expect(rows('$"pkg/name:query"("the host"=b) | count()')).toEqual(events('_count=1'));
    expect(rows('$pkg/name:query() | count()')).toEqual(events('_count=3'));
  });

  test('can be used as an argument, a condition or a subquery, and can contain definitions', () => {
    expect(rows('groupBy(host, function=$counted())')).toEqual(events('host=a n=1', 'host=b n=1'));
    expect(rows('selfJoinFilter(host, where=[{$errors()}, {level=info}]) | count()')).toEqual(
      events('_count=2'),
    );
    expect(rows('level=info | join({$errors()}, field=host) | count()')).toEqual(events('_count=1'));
    expect(rows('level=info | join(query=$errors(), field=host) | count()')).toEqual(events('_count=1'));
    expect(rows('selfJoinFilter(host, where=[$errors(), {level=info}]) | count()')).toEqual(
      events('_count=2'),
    );
    expect(rows('$tables() | level=info | match(bad, field=host) | count()')).toEqual(events('_count=1'));
    expect(rows('case { $errors() | x := 1 } | count(x)')).toEqual(events('_count=2'));
  });

  test('are rejected where they cannot be used, with the position in both queries', () => {
    expect(problem('a=1 | $outer()')).toBe(
      'There is no function "cuont". Did you mean "count"?, in line 1, column 7 of the saved query "broken", in line 1, column 7 of the saved query "outer" (line 1, column 7)',
    );
    expect(problem('$unparsed()')).toMatch(
      /, in line 1, column 4 of the saved query "unparsed" \(line 1, column 1\)$/,
    );
    expect(problem('$loop()')).toMatch(
      /^A saved query must not call itself: "loop" calls "loop2" calls "loop", in line 1, column 1 of the saved query "loop2", in .*"loop" \(line 1, column 1\)$/,
    );
    expect(problem('$deep0()')).toMatch(/^Saved queries can call each other at most 20 levels deep, in /);
    expect(problem('$many0()')).toMatch(
      /^The saved queries of this query call each other too many times, in /,
    );
    expect(problem('$byHost(levl=x)')).toBe(
      'The saved query "byHost" has no parameter "levl". Did you mean "level"? (line 1, column 9)',
    );
    expect(problem('$byHost(level=x, level=y)')).toBe(
      'The saved query "byHost" has "level" twice (line 1, column 18)',
    );
    expect(problem('$byHost(level=[x])')).toBe(
      '?level is an array, which is only allowed where an array is, such as in(values=?level), in line 1, column 9 of the saved query "byHost" (line 1, column 1)',
    );
    expect(problem('$byHost(level=[1 + 1])')).toBe(
      'The argument "level" of a saved query must be a string, a number, a parameter or an array of these (got [1 + 1]) (line 1, column 15)',
    );
    expect(problem('test($counted())')).toMatch(/saved query "counted"/);
    expect(problem('x := $errors()')).toBe(
      'The saved query "errors" can\'t be used as a value (line 1, column 6)',
    );
  });

  test('count toward the facts about the plan', () => {
    const options = { library: libraryOf({ savedQueries: { re: 'a=/x/', agg: 'count()' } }) };
    expect(compileQuery('$re()', options)).toMatchObject({ isAggregate: false });
    expect(compileQuery('b=1 | $agg()', options)).toMatchObject({
      isAggregate: true,
      filterQueryString: 'b=1',
    });
  });
});

describe('A plan', () => {
  const CONTEXT = { start: 0, end: 100, now: 100, timeZone: 'UTC' };

  test('reports the files, saved queries and subqueries that it needs', () => {
    const plan = (query: string): object => compileQuery(query, { library: libraryOf(library) });
    expect(plan('a=1')).toMatchObject({ needsPreparation: false, readsEvents: true, looksAhead: false });
    expect(plan('match("hosts.csv", field=host)')).toMatchObject({
      needsPreparation: true,
      looksAhead: false,
    });
    expect(plan('join({*}, field=a)')).toMatchObject({
      needsPreparation: true,
      hasSubQueries: true,
      looksAhead: false,
    });
    expect(plan('selfJoinFilter(a, where={b=1})')).toMatchObject({
      needsPreparation: true,
      looksAhead: true,
    });
    expect(plan('groupBy(a) | selfJoinFilter(a, where={b=1})')).toMatchObject({ needsPreparation: false });
    expect(plan('createEvents("x") | kvParse() | count()')).toMatchObject({ readsEvents: false });
    expect(plan('readFile("hosts.csv")')).toMatchObject({ readsEvents: false });
    expect(plan('setTimeInterval(start=7d, end=1d, timezone=UTC)')).toMatchObject({
      interval: { start: '7d', end: '1d', timeZone: 'UTC' },
      filterQueryString: '*',
    });
    expect(plan('defineTable(query={b=1}, name=t, include=a) | a=1')).toMatchObject({
      filterQueryString: 'a=1',
    });
  });

  test('cannot be opened without what it needs', () => {
    expect(() => compileQuery('join({*}, field=a, include=b)').openStream(CONTEXT, () => {})).toThrow(
      TypeError,
    );
  });

  test('keeps the file that it was compiled with', () => {
    const files: Record<string, string[]> = { 'f.csv': ['k,v', '1,old'] };
    const plan = compileQuery('match("f.csv", field=k)', { library: libraryOf({ files }) });
    files['f.csv'] = ['k,v', '1,new'];
    const run = plan.open(CONTEXT);
    run.push({ k: '1' });
    expect(run.rows()).toEqual(events('k=1 v=old'));
  });

  test('is prepared in slices, and stops if it is not resumed', () => {
    let read = 0;
    const source = {
      *read(_interval: unknown, sink: Sink) {
        const take = rowInput(sink);
        for (; read < 1000; read++) yield take({ k: '1' });
      },
    };
    const work = compileQuery('join({*}, field=k)').prepare(CONTEXT, source);
    for (let step = 0; step < 10; step++) work.next();
    expect(read).toBeLessThan(20);
    work.return(undefined as never);
    expect(work.next().done).toBe(true);
  });

  test('has separate results for each run', () => {
    const plan = compileQuery('join({kind=l}, field=k, include=v)');
    const result = (own: Fields[]): readonly Fields[] => {
      const work = plan.prepare(CONTEXT, { read: (_interval, sink) => takeAll(own, sink) });
      let next = work.next();
      while (next.done !== true) next = work.next();
      const run = plan.open(next.value);
      for (const event of own) run.push(event);
      return run.rows();
    };
    expect(result(events('k=1 kind=l v=x'))).toEqual(events('k=1 kind=l v=x'));
    expect(result(events('k=1 kind=l v=y', 'k=1'))).toEqual(events('k=1 v=y', 'k=1 kind=l v=y'));
  });
});

describe('A memory limit', () => {
  const limits = { maxGroups: 1000, maxBytes: 20_000 };
  const input = Array.from({ length: 1000 }, (_, n) => ({ k: `key ${n}`, j: '1' }));

  test.each([
    'join({*}, field=k)',
    'defineTable({groupBy(k)}, name=t, include=k) | readFile(t)',
    'selfJoinFilter(k, where={*})',
    'selfJoin(k, where={*})',
    'head(1000) | selfJoinFilter(j, where={*})',
  ])('stops %s', (query) => {
    const run = (maxBytes: number): readonly Fields[] =>
      runOf(query, input, { limits: { ...limits, maxBytes } }).rows();
    expect(() => run(limits.maxBytes)).toThrow(QueryMemoryError);
    expect(run(10_000_000).length).toBeGreaterThan(0);
  });
});

describe('Warnings', () => {
  test('report rows of a subquery that are not used, at any depth', () => {
    const input = events('k=1 v=1', 'k=1 v=2', 'k=1 v=3');
    const warnings = (query: string): readonly string[] => runOf(query, input).warnings;
    expect(warnings('join({*}, field=k, limit=2)')).toEqual(['join() uses 2 of the 3 rows of its query.']);
    expect(warnings('join({join({*}, field=k, limit=2)}, field=k)')).toEqual([
      'join() uses 2 of the 3 rows of its query.',
    ]);
    expect(warnings('join({groupBy(v, limit=2)}, field=v)')).toEqual([
      'groupBy() shows the 2 largest of 3 groups. Set "limit" for more.',
    ]);
    expect(warnings('join({*}, field=k)')).toEqual([]);
  });
});

test('events are never changed, and frozen ones pass through every kind of match', () => {
  const event = Object.freeze({ '@timestamp': '1', host: 'a', k: '1' });
  for (const step of [
    'match("hosts.csv", field=host) | x := 1',
    'match("hosts.csv", field=host, nrows=max)',
    'lookup("hosts.csv", field=host)',
    'matchAsArray("hosts.csv", field=host, nrows=2, strict=false)',
    'join({*}, field=k, include=host) | host := 2',
    'selfJoinFilter(k, where={host=a}) | drop(k)',
    'selfJoin(k, where={host=a}, collect=host)',
    '@timestamp := 5 | groupBy(k) | selfJoinFilter(k, where={*})',
  ]) {
    expect(rowsOf(step, [event], { library }), step).toHaveLength(1);
  }
});

const anyKey = fc.constantFrom('a', 'b', 'A', 'ab', '', 'a*', '1:a');
const anyRow = fc.tuple(anyKey, anyKey);

test('an index finds the same rows as a full scan', () => {
  const property = fc.property(
    fc.array(anyRow, { maxLength: 8 }),
    anyRow,
    fc.boolean(),
    fc.constantFrom('string' as const, 'glob' as const),
    fc.integer({ min: 1, max: 3 }),
    (rows, [x, y], ignoreCase, mode, nrows) => {
      const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
      const equals = (cell: string, value: string): boolean => {
        if (mode === 'string') return fold(cell) === fold(value);
        const pattern = cell.split('*').map((piece) => piece.replace(/[^\w]/g, '\\$&'));
        return new RegExp(pattern.join('.*'), ignoreCase ? 'i' : '').test(value);
      };
      const expected = rows
        .map(([a, b], row) => ({ a, b, row: String(row) }))
        .filter(({ a, b }) => equals(a, x) && equals(b, y))
        .slice(-nrows);
      const file = ['a,b,row', ...rows.map(([a, b], row) => `${a},${b},${row}`)];
      const found = rowsOf(
        `match(f, field=[x, y], column=[a, b], mode=${mode}, ignoreCase=${ignoreCase}, nrows=${nrows}, include=row) | select(row)`,
        [{ x, y }],
        { library: { files: { f: file } } },
      );
      expect(found.toReversed()).toEqual(expected.map(({ row }) => ({ row })));
    },
  );
  fc.assert(property, cases(80));
});

test('a join and its negation partition the events', () => {
  const property = fc.property(fc.array(anyKey), fc.array(anyKey), (left, right) => {
    const input = [...left.map((k) => ({ k, side: 'l' })), ...right.map((k) => ({ k, side: 'r' }))];
    const ask = (step: string): number => Number(rowsOf(`side=l | ${step} | count()`, input)[0]?._count);
    const joined = ask('join({side=r}, field=k)');
    expect(joined).toBe(left.filter((k) => right.includes(k)).length);
    expect(joined + ask('!join({side=r}, field=k)')).toBe(left.length);
    expect(ask('join({side=r}, field=k, mode=left, include=side)')).toBe(left.length);
    expect(ask('selfJoinFilter(k, where=[{*}])')).toBe(left.length);
  });
  fc.assert(property, cases(30));
});

test('a saved query of the platform leaves events unchanged and causes a warning', () => {
  const run = runOf('$falcon/helper:enrich(field=a) | $falcon/helper:enrich(field=b)', [{ a: '1' }]);
  expect(run.rows()).toEqual([{ a: '1' }]);
  expect([...run.warnings]).toEqual([
    '$falcon/helper:enrich() leaves events unchanged: the service does not publish its table of names.',
  ]);
});
