import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Document, isMap, type Scalar, visit } from 'yaml';
import { format, parse, print } from '../../../src/language/index.ts';
import { formatQuery } from '../../../src/tools/lint/format-query.ts';
import { fileSpan } from '../../../src/tools/sources/embedded-query.ts';
import { queriesIn } from '../../../src/tools/sources/query-files.ts';
import { replaceQueries } from '../../../src/tools/sources/replace-queries.ts';
import { runCommand } from '../../helpers/cli-run.ts';
import { cases } from '../../helpers/laws.ts';

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'logclient-embedded-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

/** The places and codes of findings. */
async function findings(files: Readonly<Record<string, string>>, ...flags: string[]): Promise<string[]> {
  const folder = await folderWith(files);
  const { stdout } = await runCommand(['lint', folder, '--output', 'json', ...flags]);
  const rows = JSON.parse(stdout) as { path: string; line: number; column: number; code: string }[];
  return rows.map(
    ({ path, line, column, code }) => `${path.slice(folder.length + 1)}:${line}:${column} ${code}`,
  );
}

const BAD = 'level=error | cuont()';

describe('logclient lint in other files', () => {
  it.each([
    ['a saved query of a package', `name: a\nqueryString: |-\n  level=error\n  | cuont()\n`, '4:5'],
    ['an alert', `$schema: https://schemas.humio.com/alert/v0.2.0\nquery:\n  queryString: ${BAD}\n`, '3:30'],
    ['a widget of a dashboard', `widgets:\n  a-b:\n    queryString: "${BAD}"\n    x: 0\n`, '3:33'],
    [
      'a parameter of a dashboard',
      `$schema: https://schemas.humio.com/dashboard/v0.9.0\nparameters:\n  p:\n    query: '${BAD}'\n`,
      '4:27',
    ],
    ['a parser', `script: |\n  kvParse()\n  | cuont()\ntagFields: []\n`, '3:5'],
    ['a detection with cql', `name: x\ncql: >-\n  level=error\n  | cuont()\n`, '4:5'],
    ['a detection with query', `query: |\n    level=error\n\n    | cuont()\n`, '4:7'],
    ['a list of detections', `- name: x\n  cql: ${BAD}\n`, '2:22'],
    ['a correlation rule', `search:\n  filter: ${BAD}\n  lookback: 1h\n`, '2:25'],
    ['a second document', `a: 1\n---\ncql: ${BAD}\n`, '3:20'],
    ['a block with an indentation indicator', `cql: |2\n    level=error\n    | cuont()\n`, '3:7'],
    ['a file with CRLF', `cql: |\r\n  level=error\r\n  | cuont()\r\n`, '3:5'],
    ['a string with escapes', `cql: "x=\\"\\u00e9\\" | cuont()"\n`, '1:22'],
    ['a string on several lines', `cql: 'it''s\n\n  "b" | cuont()'\n`, undefined],
    ['an emoji before the problem', `cql: 'x="😀" | cuont()'\n`, '1:16'],
    ['an anchor that is used twice', `cql: &a ${BAD}\nother:\n  cql: *a\n`, '1:23'],
  ])('reports the position of a problem in YAML with %s', async (_, text, place) => {
    const found = await findings({ 'a.yaml': text });
    if (place === undefined) expect(found).toHaveLength(1);
    else expect(found).toEqual([`a.yaml:${place} unknown-function`]);
  });

  it('reports the position of a problem in an exported correlation rule', async () => {
    const rule = {
      name: 'r',
      search: { filter: 'a="b"\n| cuont()', outcome: 'detection', lookback: '1h0m' },
    };
    const text = JSON.stringify({ resources: [rule] });
    const column = text.indexOf('cuont') + 1;
    expect(await findings({ 'a.json': text })).toEqual([`a.json:1:${column} unknown-function`]);
  });

  it('reports the position of a problem in code blocks of Markdown', async () => {
    const text = [
      '```sql',
      'cuont()',
      '```',
      '````cql title="a"',
      'level=error',
      '```',
      '| cuont()',
      '````',
      '- a list',
      '  ~~~ logscale',
      '  | cuont()',
      '  ~~~',
      '> ```humio',
      '> cuont()',
      '> ```',
      '```lql',
      'cuont()',
    ].join('\n');
    const found = (await findings({ 'a.md': text })).filter((each) => each.includes('unknown-function'));
    expect(found).toEqual([
      'a.md:11:5 unknown-function',
      'a.md:14:3 unknown-function',
      'a.md:17:1 unknown-function',
    ]);
  });

  it.each([
    ['a workflow', 'jobs:\n  a:\n    steps:\n      - script: cuont()\n        query: cuont()\n'],
    ['a filter that is no search', 'search:\n  filter: cuont()\n'],
    ['a script that is no parser', 'script: cuont()\n'],
  ])('ignores %s', async (_, text) => {
    const folder = await folderWith({ 'a.yaml': text, 'b.lql': 'count()' });
    expect(await runCommand(['lint', folder])).toMatchObject({
      code: 0,
      stderr: 'No problems in 1 query.\n',
    });
  });

  it('ignores the query of a GraphQL request in JSON', async () => {
    const folder = await folderWith({ 'a.json': '{"query":"{ viewer { id } }"}', 'b.lql': 'count()' });
    expect(await runCommand(['lint', folder])).toMatchObject({
      code: 0,
      stderr: 'No problems in 1 query.\n',
    });
  });

  it('reads further members with --key and LOGCLIENT_QUERY_KEYS', async () => {
    const files = { 'a.yaml': `rule:\n  condition: ${BAD}\ncondition: ${BAD}\n` };
    expect(await findings(files, '--key', 'rule.condition')).toEqual(['a.yaml:2:28 unknown-function']);
    const folder = await folderWith(files);
    const { stdout } = await runCommand(['lint', folder], { env: { LOGCLIENT_QUERY_KEYS: 'condition' } });
    expect(stdout.match(/unknown-function/g)).toHaveLength(2);
  });

  it('reports a YAML file with queries that can not be parsed', async () => {
    expect(await findings({ 'a.yaml': 'cql: "a\nname: b\n' })).toEqual([
      expect.stringMatching(/^a\.yaml:.* yaml$/),
    ]);
  });

  it.each([
    ['failCount for FailCount', 'groupBy(h, function=count(as=FailCount)) | failCount > 5', 'missing-field'],
    ['a sort by a missing column', 'groupBy(h) | sort(count)', 'missing-field'],
    ['a parameter that does not exist', 'groupBy(h, functon=count())', 'unknown-parameter'],
  ])('reports %s in a rule', async (_, query, code) => {
    const found = await findings({ 'rule.yml': `name: r\ncql: |\n  level=error\n  | ${query}\n` });
    expect(found).toEqual([expect.stringMatching(new RegExp(`^rule\\.yml:4:\\d+ ${code}$`))]);
  });
});

describe('logclient format and lint --fix in other files', () => {
  it('write blocks and strings in place', async () => {
    const folder = await folderWith({
      'a.yaml': '# c\ncql: |\n  // why\n  level = error\n\n  |count( )  \n\nb: {cql: \'x = "y"\', z: 1}\n',
      'b.json': '{"search":{"filter":"a = \\"b\\"\\n|count()","outcome":"x"}}',
      'c.md': 'A\n> ```cql\n> a = 1|count()\n> ```\n',
    });
    await runCommand(['format', '--write', folder]);
    const textOf = (name: string) => readFile(join(folder, name), 'utf8');
    expect(await textOf('a.yaml')).toBe(
      '# c\ncql: |\n  // why\n  level=error\n\n  | count()  \n\nb: {cql: \'x="y"\', z: 1}\n',
    );
    expect(await textOf('b.json')).toBe('{"search":{"filter":"a=\\"b\\"\\n| count()","outcome":"x"}}');
    expect(await textOf('c.md')).toBe('A\n> ```cql\n> a=1 | count()\n> ```\n');
    expect(await runCommand(['format', '--check', folder])).toMatchObject({ code: 0 });
  });

  it('report folded, escaped and shared strings, and leave them as they are', async () => {
    const text =
      'a:\n  cql: >\n    x = 1\n    | cuont()\nb:\n  cql: "x = \\"y\\""\nc:\n  cql: &q x = 1\nd:\n  cql: *q\n';
    const folder = await folderWith({ 'a.yaml': text });
    const { stderr, code } = await runCommand(['format', '--write', folder]);
    const fixed = await runCommand(['lint', '--fix-suggestions', folder]);
    expect(fixed.stderr.match(/a\.yaml:\d+:\d+: not fixed, because/g)).toHaveLength(1);
    expect(await readFile(join(folder, 'a.yaml'), 'utf8')).toBe(text);
    expect(code).toBe(0);
    expect(stderr.match(/a\.yaml:\d+:\d+: not formatted, because/g)).toHaveLength(3);
  });

  it('leave a string as it is if the changed query would be another value', async () => {
    const text = "cql: a = 'b: c'\n";
    const folder = await folderWith({ 'a.yaml': text, 'b.yaml': 'cql: level = error | x=": y"\n' });
    await runCommand(['lint', '--fix', folder]);
    expect((await readFile(join(folder, 'a.yaml'), 'utf8')).length).toBeGreaterThan(0);
    const [query] = queriesIn('a.yaml', await readFile(join(folder, 'a.yaml'), 'utf8')).queries;
    expect(query === undefined || query.query.includes('b')).toBe(true);
  });
});

const QUERIES = [
  'level = error | cuontN()',
  'x="é😀" and  y=/a\\/b/i\n|cuontN( )',
  '// why: #1 "quoted" \'single\'\nlevel=error\n\n\n| cuontN() // end',
  "name='it' | cuontN()",
  'case {\n  a=1 | b:=2;\n  * | cuontN();\n}\n',
  '  leading | cuontN()\n\n',
  'x="a: b" y="# c" | cuontN()',
  '\n\nlevel=error|groupBy([a,b], function=cuontN())',
];
const STYLES: readonly Scalar.Type[] = [
  'BLOCK_LITERAL',
  'BLOCK_FOLDED',
  'QUOTE_DOUBLE',
  'QUOTE_SINGLE',
  'PLAIN',
];

const rule = fc.record({
  query: fc.constantFrom(...QUERIES),
  style: fc.constantFrom(...STYLES),
  note: fc.string({ unit: 'grapheme', maxLength: 20 }),
  isFlow: fc.boolean(),
  comment: fc.constantFrom(' plain', ' cql: "x"', ' ```'),
});

const yamlFile = fc
  .record({
    rules: fc.array(rule, { minLength: 1, maxLength: 5 }),
    isCrlf: fc.boolean(),
    indent: fc.integer({ min: 1, max: 6 }),
    lineWidth: fc.constantFrom(0, 20, 80),
  })
  .map(({ rules, isCrlf, ...options }) => {
    const value = rules.map(({ query, note }, index) => ({
      note,
      cql: query.replaceAll('N', `${index}`),
      after: 1,
    }));
    const document = new Document(value);
    visit(document, {
      Map(key, node) {
        const own = rules[key as number];
        if (own === undefined || !isMap(node)) return;
        node.flow = own.isFlow;
        if (!own.isFlow) node.commentBefore = own.comment;
        (node.get('cql', true) as unknown as Scalar).type = own.style;
      },
    });
    const text = document.toString(options);
    return { rules, text: isCrlf ? text.replaceAll('\n', '\r\n') : text };
  });

/** The text around the queries. */
function surroundings(text: string): string[] {
  const { queries } = queriesIn('a.yaml', text);
  return queries
    .map(({ end }, index) => text.slice(end, queries[index + 1]?.offset))
    .concat(text.slice(0, queries[0]?.offset));
}

describe('Queries in YAML files of any style', () => {
  it('have exact positions', () => {
    fc.assert(
      fc.property(yamlFile, ({ rules, text }) => {
        const { queries, error } = queriesIn('a.yaml', text);
        expect(error).toBeUndefined();
        expect(queries).toHaveLength(rules.length);
        for (const [index, embedded] of queries.entries()) {
          const word = `cuont${index}`;
          const start = embedded.query.indexOf(word);
          const span = fileSpan(embedded, { start, end: start + word.length });
          // A line of a quoted string can end inside a word.
          expect(text.slice(span.start, span.end).replace(/\\\r?\n\s*/, '')).toBe(word);
        }
      }),
      cases(25),
    );
  });

  it('change only where they are when they are formatted or fixed, and mean the same', () => {
    fc.assert(
      fc.property(yamlFile, ({ text }) => {
        const queries = queriesIn('a.yaml', text).queries;
        const source = { path: 'a.yaml', text, queries };
        const formatted = replaceQueries(source, (embedded) => formatQuery(text, embedded));
        const fixed = replaceQueries(source, ({ query }) => query.replace(/cuont(\d)/, 'count$1'));
        for (const changed of [formatted, fixed]) expect(surroundings(changed)).toEqual(surroundings(text));
        for (const [index, { query, kind }] of queriesIn('a.yaml', fixed).queries.entries()) {
          const before = queries[index]!.query;
          expect(query).toBe(kind === 'fixed' ? before : before.replace('cuont', 'count'));
        }
        for (const [index, { query }] of queriesIn('a.yaml', formatted).queries.entries()) {
          const before = queries[index]!.query;
          if (!before.includes("name='")) expect(print(parse(query))).toBe(print(parse(before)));
        }
      }),
      cases(25),
    );
  });

  it('are formatted in blocks as in files', () => {
    const query = 'a=1|b=2\n\n// c\n| groupBy(x)';
    const text = `cql: |\n  ${query.replaceAll('\n', '\n  ')}\n`;
    const { queries } = queriesIn('a.yaml', text);
    const changed = replaceQueries({ path: 'a.yaml', text, queries }, (each) => formatQuery(text, each));
    expect(queriesIn('a.yaml', changed).queries[0]!.query).toBe(`${format(query, { width: 100 })}\n`);
  });
});
