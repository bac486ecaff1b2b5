import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { LogClient, LogOptionsException, lql, type QueryFragment } from '../../../src/index.ts';
import { print } from '../../../src/language/index.ts';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { collect } from '../../helpers/collect.ts';
import { anyCharacter, cases } from '../../helpers/laws.ts';
import { anyPipeline } from '../../language/any-pipeline.ts';
import { type Pipeline, parse } from './syntax-tree.ts';

/** Strings that are known to end, escape or change other strings. */
const HOSTILE = [
  'a\u00a0b',
  'a\ufeff',
  '',
  ' ',
  '"',
  '\\',
  '\\"',
  '"\\',
  '\\\\"',
  '" or true or "',
  '*',
  '**',
  'a*b',
  '"*"',
  '\\*',
  '|',
  '| drop(value)',
  '" | drop(value) | "',
  '//',
  'x // y',
  '/*',
  '*/',
  '/a/i',
  '/.*/',
  '$',
  `\${x}`,
  '`',
  '?p',
  '?{p=1}',
  '$saved()',
  'a\nb',
  'a\r\nb*',
  '\n',
  '\t',
  '\\n',
  '\\d+',
  '\u2028*',
  '\u0085',
  '\0',
  '\0*',
  '\ufeff',
  'ø*ß',
  '😀',
  '😀*',
  '{"a": [1]}',
  "it's",
  'not',
  'true',
  '-1',
  '1e3',
  '=',
  ':=',
  '<=>',
  '^$',
  'a^b*c$',
  '\\A*\\z',
  '(*)',
  '[*]',
];

const text = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: fc.constantFrom(...'ab"\\*/|\n\r\t$`?{}()[]=; ') }),
  fc.string({ unit: anyCharacter, maxLength: 8 }),
);

const plainText = text.map((value) => value.replaceAll('*', '+'));

/** JavaScript features that careful programs avoid. */
const OF_JAVASCRIPT = { nothing: 'b[]', anything: '[^]\\*', capitalQ: '\\Q', early: '(?:(?<a>b)|\\2)(c)' };

/** A fragment with a string at each kind of position. */
const FILTERS: readonly ((value: string) => QueryFragment)[] = [
  (value) => lql`a=1 field = ${value} b=2 | count()`,
  (value) => lql`field != ${value} or x=1`,
  (value) => lql`x like ${value} | y := 1`,
  (value) => lql`not ${value} b=/x/ // done`,
  (value) => lql`case { f=${value}; * | z := 2 }`,
  (value) => lql`f match { ${value} => z := 1; * => * }`,
  (value) => lql`test(a == 1) (b=${value} or c=1)`,
];
const EXPRESSIONS: readonly ((value: string) => QueryFragment)[] = [
  (value) => lql`x := ${value} | f=1`,
  (value) => lql`test(field == ${value}) a=1`,
  (value) => lql`if(a == ${value}, then=b, else=${'no'}) | c=1`,
  (value) => lql`join({a=1 | x := lower(${value})}, field=f) | d=1`,
  (value) => lql`coalesce([a, ${value}, b/c]) | e=1`,
];

describe('A string as a value', () => {
  it.each([...FILTERS.entries()])(
    'is one literal of a filter and changes nothing else (%i)',
    (_, fragment) => {
      fc.assert(
        fc.property(plainText, (value) => {
          const tree = parse(String(fragment(value)));
          const plain = parse(String(fragment('stand-in')));
          expect(tree.replaceLiteral(value, 'stand-in')).toEqual({ replaced: 1, tree: plain.json });
        }),
        cases(),
      );
    },
  );

  it.each([...EXPRESSIONS.entries()])('is one string of an expression (%i)', (_, fragment) => {
    fc.assert(
      fc.property(plainText, (value) => {
        const tree = parse(String(fragment(value)));
        const plain = parse(String(fragment('stand-in')));
        expect(tree.replaceLiteral(value, 'stand-in')).toEqual({ replaced: 1, tree: plain.json });
      }),
      cases(),
    );
  });

  it('is one literal or rejected, and nearly always a literal, wherever a query has a quoted string', () => {
    let tried = 0;
    let rejected = 0;
    fc.assert(
      fc.property(anyPipeline, fc.nat(), text, (pipeline, n, value) => {
        const source = print(pipeline);
        const literals = parse(source).quoted;
        fc.pre(literals.length > 0);
        const { start, end } = literals[n % literals.length]!.span;
        const [before, after] = [source.slice(0, start), source.slice(end)];
        tried++;
        const { tree } = parse(`${before}"stand-in"${after}`).replaceLiteral('stand-in', value);
        const query = lql`${lql.raw(before)}${value}${lql.raw(after)}`;
        const made = madeOrRejected(query, value);
        if (made === REJECTED && !value.includes('*')) rejected++;
        expect(made).toBeOneOf([JSON.stringify(tree), REJECTED]);
      }),
      cases(),
    );
    expect(rejected).toBeLessThan(tried / 10);
  });

  it.each([
    [(value: string) => lql`$saved(a=b / ${value}) | c=/d/`, '$saved(a=b / "x") | c=/d/'],
    [(value: string) => lql`$"saved query"(a=b <= ${value}) | c=/d/`, '$"saved query"(a=b <= "x") | c=/d/'],
  ])('can follow an operator in the arguments of a saved query (%#)', (fragment, query) => {
    expect(String(fragment('x'))).toBe(query);
  });

  it.each([...[...FILTERS, ...EXPRESSIONS].entries()])(
    'is rejected if it contains a star, in any position (%i)',
    (_, fragment) => {
      expect(() => String(fragment('a*'))).toThrow(
        '"*" can be a wildcard and can\'t be escaped. Use lql.pattern()',
      );
    },
  );

  it('becomes one string for each element of a list', () => {
    fc.assert(
      fc.property(fc.array(plainText), (values) => {
        const [step] = parse(String(lql`in(f, values=[${values}], ignoreCase=true) | a=1`)).pipeline.steps;
        expect(listOf(step)).toEqual(values);
      }),
      cases(),
    );
  });
});

const REJECTED = 'rejected';

/** The tree of a query, or that it is rejected with this value. */
function madeOrRejected(query: QueryFragment, value: string): string {
  try {
    return JSON.stringify(parse(String(query)).replaceLiteral(value, value).tree);
  } catch (error) {
    if (error instanceof LogOptionsException && error.message.startsWith('lql: ')) return REJECTED;
    throw error;
  }
}

function listOf(step: Pipeline['steps'][number] | undefined): unknown[] {
  if (step?.kind !== 'And' && step?.kind !== 'Call') throw new Error('There is no call.');
  const call = step.kind === 'Call' ? step : step.operands[0];
  if (call?.kind !== 'Call') throw new Error('There is no call.');
  const list = call.arguments.find(({ name }) => name?.name === 'values')?.value;
  if (list?.kind !== 'Array') throw new Error('There is no list.');
  return list.elements.map((element) => (element.kind === 'String' ? element.value : element));
}

describe('Queries with lql values, run on the service,', () => {
  const generated = fc.sample(text, cases(30));
  // Lone surrogates can't be sent.
  const samples = [...new Set([...HOSTILE, ...generated])].filter((value) => !/\p{Surrogate}/u.test(value));
  let server: LocalServer;
  let client: LogClient;

  beforeAll(async () => {
    server = await startLocalServer({ listen: false });
    const { url: baseUrl, repository, userToken, fetch } = server;
    client = new LogClient({ baseUrl, repository, userToken, fetch });
    const events = samples.map((value, n) => ({ timestamp: Date.now(), attributes: { value, n } }));
    await client.ingestJsonData([{ events }]);
  });

  afterAll(() => server.close());

  const found = async (query: QueryFragment): Promise<unknown[]> =>
    (await collect(client.streamingQuery(query))).map((row) => row.value);

  it('find exactly the events with a hostile value, in a filter, in an expression and by a list', async () => {
    for (const value of samples.filter((sample) => !sample.includes('*'))) {
      expect(await found(lql`value = ${value}`)).toEqual([value]);
      expect(await found(lql`test(value == ${value})`)).toEqual([value]);
      expect(await found(lql`in(value, values=[${[value]}])`)).toEqual([value]);
    }
  });

  it('exclude exactly these events with !=, and find a substring after like', async () => {
    for (const value of HOSTILE.filter((sample) => !sample.includes('*'))) {
      expect(await found(lql`value != ${value}`)).toHaveLength(samples.length - 1);
      const containing = samples.filter((sample) => sample.includes(value));
      expect((await found(lql`value like ${value}`)).sort()).toEqual(containing.sort());
    }
  });

  it('are accepted by every method that accepts a query', async () => {
    const query = lql`value = ${/^a\*b$/}`;
    expect(await client.query(query)).toHaveLength(1);
    expect(await collect(client.streamingQuery(query))).toHaveLength(1);
    expect(await client.waitFor(query, 1, { start: '1h' })).toHaveLength(1);
    expect((await client.validateQuery(query)).isValid).toBe(true);
    const job = await client.createQueryJob(query);
    expect((await job.poll()).events).toHaveLength(1);
    await job.delete();
    for await (const event of client.tail(query, { last: 1 })) {
      expect(event.value).toBe('a*b');
      break;
    }
    for await (const { events, isDone } of client.watch(lql`${query} | count()`, { start: '1h' })) {
      if (!isDone) continue;
      expect(events).toEqual([{ _count: '1' }]);
      break;
    }
    await client.createSavedQuery('mine', query);
    expect((await client.listSavedQueries())[0]?.query.queryString).toBe(String(query));
  });

  it('reject instead of throwing if they cannot be built', async () => {
    await expect(client.query(lql`a = ${[]}`)).rejects.toThrow('a list is only valid in brackets');
  });

  it('treat a RegExp as JavaScript does', async () => {
    const expressions = [
      /^a/,
      /b$/,
      /^a/m,
      /A\*B/i,
      /a.b/,
      /a.+b/s,
      /[[/"]/,
      new RegExp(OF_JAVASCRIPT.anything),
      /{"a"/,
      /^\p{L}\*/u,
      /\u{1F600}\*/u,
      /^(?:\\|\/)/,
      /(?<![a-z*])\*$/,
      /^[\b\v\0]/,
      /a\sb/,
      /^a\Sb/,
      /^[^\s*]+$/,
      /^[\s\S]$/u,
      /(a).*\1|b$/,
    ];
    for (const expression of expressions) {
      const expected = samples.filter((value) => expression.test(value)).sort();
      expect(expected.length).toBeGreaterThan(0);
      const shown = String(expression);
      expect([shown, (await found(lql`value = ${expression}`)).sort()]).toEqual([shown, expected]);
      const inFunction = await found(lql`regex(${expression}, field=value)`);
      expect([shown, inFunction.sort()]).toEqual([shown, expected]);
    }
  });
});

describe('lql', () => {
  const text = (fragment: QueryFragment): string => String(fragment);

  it('writes each kind of value in its place', () => {
    const date = new Date('2026-03-01T00:00:00Z');
    expect(text(lql`@timestamp >= ${date} a=${5} b=${-1.5} c=${true} d=${10n ** 20n}`)).toBe(
      '@timestamp >= 1772323200000 a=5 b=-1.5 c=true d=100000000000000000000',
    );
    expect(text(lql`a=${1e21} | x := y*${1e21} + ${-2.5e-7}`)).toBe(
      'a=1000000000000000000000 | x := y*1000000000000000000000 + -0.00000025',
    );
    expect(text(lql`a < ${'12'}`)).toBe('a < "12"');
    expect(text(lql`a=${/^x\/y$/gims} | replace(${/^\d+/i}, with=${'n'})`)).toBe(
      'a=/^x\\/y$/gimd | replace("(?i)\\\\A\\\\d+", with="n")',
    );
  });

  it('keeps a number in one piece in an expression', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const shown = /test\(a == (.*)\)$/.exec(text(lql`test(a == ${number})`))?.[1];
        expect(shown).toMatch(/^-?\d+(?:\.\d+)?$/);
        expect(Number(shown)).toBe(number === 0 ? 0 : number);
      }),
      cases(),
    );
  });

  it('writes a field name in its place', () => {
    const agent = lql.field('user agent');
    expect(text(lql`${agent} = ${'x'} ${lql.field('case')} like a ${lql.field('#service')}=b`)).toBe(
      '"user agent" = "x" "case" like a #service=b',
    );
    expect(text(lql`${agent} := lower(${agent}) + ${agent} | test(${agent} == b) | top(${agent})`)).toBe(
      '"user agent" := lower("user agent") + getField("user agent") | test(getField("user agent") == b) | top("user agent")',
    );
    expect(text(lql`groupBy([${['a.b[0].c', '5m'].map(lql.field)}])`)).toBe('groupBy([a.b[0].c, "5m"])');
  });

  it('nests lql fragments unchanged, and reports the position of a nested value', () => {
    const filters = ['a', 'b'].map((host) => lql`host = ${host}`);
    expect(text(lql`(${lql.join(filters, ' or ')}) | count()`)).toBe(
      '((host = "a") or (host = "b")) | count()',
    );
    const agent = lql`${lql.field('user agent')}`;
    expect(text(lql`x := ${agent} | ${agent} = ${'b'}`)).toBe(
      'x := getField("user agent") | "user agent" = "b"',
    );
    expect(text(lql`head(${lql.raw('5')})${lql``}`)).toBe('head(5)');
  });

  it('creates a wildcard only from a pattern', () => {
    expect(text(lql`host = ${lql.pattern('web-*" or "')}`)).toBe('host = "web-*\\" or \\""');
    expect(text(lql`in(f, values=[${[lql.pattern('a*'), 'b']}])`)).toBe('in(f, values=["a*", "b"])');
  });

  it('reads the text between values as it is written', () => {
    expect(text(lql`a=/\d+\/\`\${/ | user.\`e-mail\`[] := ${'x'}`)).toBe(
      'a=/\\d+\\/`${/ | user.`e-mail`[] := "x"',
    );
  });

  it('reads a star as an operand, not as part of a product', () => {
    expect(String(lql`a := * / b | c=${'x/y'}`)).toBe('a := * / b | c="x/y"');
  });

  it('is a string in JSON and a distinct type in TypeScript', () => {
    expect(JSON.stringify({ queryString: lql`a = ${'b'}` })).toBe('{"queryString":"a = \\"b\\""}');
    expectTypeOf(lql`a`).not.toBeString();
    expectTypeOf(lql`a`).toExtend<Parameters<LogClient['query']>[0]>();
  });

  const REFUSED: readonly [title: string, fragment: () => QueryFragment, message: string][] = [
    [
      'a value in a string',
      () => lql`a = "x ${'y'}"`,
      'lql: a value can\'t be inserted into a string of the query, here after "a = \\"x ". Make the whole string one value',
    ],
    ['a value in a string without an end', () => lql`a = "x ${'y'}`, 'be inserted into a string'],
    ['a value in the quoted name of a parameter', () => lql`a=?"x${'y'}"`, 'be inserted into a string'],
    ['a value in a regex', () => lql`/x${'y'}/`, 'be inserted into a regex'],
    ['a value in a regex right after =~', () => lql`a=~/ ${'y'} /`, 'be inserted into a regex'],
    ['a value after a slash in a URL', () => lql`url=https://${'y'}`, 'touches other text'],
    ['a value in a comment', () => lql`a=1 // ${'y'}`, 'be inserted into a comment'],
    ['a value in a comment of many lines', () => lql`a=1 /* \n${'y'} */`, 'be inserted into a comment'],
    ['a fragment that ends in a comment', () => lql`${lql`a=1 // b`} c=2`, 'be inserted into a comment'],
    ['a fragment that opens a string', () => lql`${lql.raw('a="')} c=2"`, 'be inserted into a string'],
    ['a value that touches a word', () => lql`a=b${'y'}`, 'the value after "a=b" touches other text'],
    ['a value that a star touches', () => lql`a=${'y'}*`, 'touches other text'],
    ['two values that touch', () => lql`a=${'y'}${'z'}`, 'touches other text'],
    ['a value as the name of a parameter', () => lql`a=?${'y'}`, 'touches other text'],
    ['a value as the name of a saved query', () => lql`$${'y'}()`, 'touches other text'],
    ['a value before a parenthesis', () => lql`a=${true}(b=1)`, 'touches other text'],
    ['a value as the name of a field', () => lql`${'a'} = 1`, 'use lql.field(name)'],
    ['a value that is assigned to', () => lql`${'a'} := 1`, 'use lql.field(name)'],
    ['a value as the name of an argument', () => lql`top(a, ${'limit'}=5)`, 'use lql.field(name)'],
    ['a value that is matched', () => lql`${'a'} match { * => * }`, 'use lql.field(name)'],
    ['a value before like', () => lql`${'a'} like b`, 'use lql.field(name)'],
    [
      'a field in place of a text',
      () => lql`a = ${lql.field('b')}`,
      'Use test(a == b) to compare two fields',
    ],
    ['a text after <', () => lql`a < ${'x'}`, 'a filter can only order numbers'],
    ['a list without brackets', () => lql`a = ${['b']}`, 'a list is only valid in brackets'],
    ['an empty list as an argument', () => lql`top(${[]})`, 'a list is only valid in brackets'],
    [
      'a star in in()',
      () => lql`in(a, values=[${['b*']}])`,
      '"*" can be a wildcard and can\'t be escaped. Use lql.pattern()',
    ],
    ['a star in an argument of a saved query', () => lql`$q(a=${'b*'})`, '"*" can be a wildcard'],
    ['a star in the default of a parameter', () => lql`a=?{b=${'b*'}}`, '"*" can be a wildcard'],
    ['a star where only the service knows', () => lql`a=b(c=${'*'})`, '"*" can be a wildcard'],
    [
      'a RegExp in an expression',
      () => lql`test(a == ${/b/})`,
      'a regular expression is only valid in a filter, or as an argument of regex()',
    ],
    [
      'a RegExp in in()',
      () => lql`in(a, values=[${[/b/]}])`,
      'a regular expression is only valid in a filter',
    ],
    [
      'a RegExp with flags of JavaScript alone',
      () => lql`a=${/b/y}`,
      'the flag "y" exists in JavaScript only',
    ],
    [
      'a RegExp with a set of JavaScript alone',
      () => lql`a=${new RegExp(OF_JAVASCRIPT.nothing)}`,
      '"[]" exists in JavaScript only',
    ],
    [
      'a RegExp with an escape that means something else',
      () => lql`a=${new RegExp(OF_JAVASCRIPT.capitalQ)}`,
      '"\\Q" has a different meaning there',
    ],
    [
      'a RegExp with a reference to a later group',
      () => lql`a=${new RegExp(OF_JAVASCRIPT.early)}`,
      '"\\2" precedes its group',
    ],
    ['undefined', () => lql`a=${undefined as never}`, 'lql: value 1 is undefined, which no field can be'],
    ['null', () => lql`a=1 b=${1} c=${null as never}`, 'lql: value 2 is null'],
    ['null in a list', () => lql`in(a, values=[${['b', null as never]}])`, 'lql: value 1, item 2 is null'],
    ['NaN', () => lql`a=${Number.NaN}`, 'value 1 is NaN'],
    ['an invalid date', () => lql`a=${new Date('x')}`, 'value 1 is an invalid date'],
    ['an object', () => lql`a=${{ toString: () => 'x' } as never}`, "value 1 can't be an object"],
    [
      'a look-alike of a fragment',
      () => lql`a=${JSON.parse('{"parts":[{"kind":"text","text":"x"}]}')}`,
      "value 1 can't be an object",
    ],
    ['a function', () => lql`a=${(() => 1) as never}`, "value 1 can't be a function"],
    ['a list of lists', () => lql`in(a, values=[${[['b']]}])`, 'value 1 is a list of lists'],
    ['a call without a template', () => lql('a' as never), 'lql is a tag: write lql`…`, not lql(…)'],
    ['an empty field name', () => lql.field(''), 'lql.field: the name must be a non-empty string'],
  ];

  it.each(REFUSED)('rejects %s', (_, fragment, message) => {
    expect(() => text(fragment())).toThrow(message);
  });
});
