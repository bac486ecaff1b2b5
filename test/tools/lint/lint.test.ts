// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the sources of programs
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../helpers/cli-run.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logclient-lint-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, text);
  return path;
}

function piped(words: readonly string[], input: string) {
  return runCommand(words, { stdin: input });
}

const PROGRAM = `import { lql } from 'logclient';
// lql\`cuont()\` in a comment
/**
 * lql\`cuont()\` in a docstring
 */
export const one = lql\`level = \${level} | groupBy(host, functon=count())\`;
export const two = lql\`
  status >= \${\`\${{ a: '}' }.a}\`}
  | stats count by host
\`;
export const three = lql\`count() | \${filter} | whatever=1\`;
export const four = lql.raw('cuont()');
`;

const MENTIONS = [
  ['a comment at the end of a line', 'f(); // lql`cuont( )`, or lql` alone'],
  ['a block comment', '/*\n  lql`cuont( )`\n  lql`\n*/'],
  ['a string', 'const s = "start with lql`"; const t = \'as in lql`cuont( )`\';'],
  ['a template that mentions lql', 'const s = `write lql\\`cuont( )\\` or lql`;'],
  ['nested templates', 'const s = `a ${`write lql\\`cuont( )\\` ${"lql`"}`} lql`;'],
  ['a regular expression', 'const r = /lql`cuont( )`|lql`/;'],
  ['a tag of another object', 'const s = sql.lql`cuont( )`;'],
] as const;

const KQL = 'SigninLogs | where ResultType != "0" | project bytes';
const SPL = 'index=main | stats count by host';

/** Queries of other languages in all kinds of files, and how many of them --fix fixes. */
const FOREIGN: readonly (readonly [name: string, text: string, fixed: number])[] = [
  ['block.yaml', `name: a\nqueryString: |-\n  ${SPL}\n`, 1],
  ['line.yaml', `queryString: '${KQL}'\n`, 0],
  ['error.yaml', 'queryString: level=="error" && x=\'1\' | stats count by host\n', 1],
  ['dashboard.yaml', `widgets:\n  a:\n    queryString: ${SPL}\n  b:\n    queryString: |\n      ${SPL}\n`, 2],
  ['rule.json', JSON.stringify({ search: { filter: `a="b"\n| ${SPL}`, lookback: '1h' } }), 1],
  ['README.md', `\`\`\`cql\n${SPL}\n\`\`\`\n\n\`\`\`cql\n${SPL} | cuont()\n\`\`\`\n`, 2],
  ['crlf.lql', `// a\r\n${SPL}\r\n`, 1],
  ['two.ts', `f(lql\`${SPL}\`, lql\`level=\${a} | stats count by host\`);\n`, 2],
  ['fixed.yaml', `cql: >-\n  level=error\n  | stats count by host\n`, 0],
];

describe('lint announces as many fixes as --fix makes', () => {
  it.each([
    ...FOREIGN.map(([name, text, fixed]) => [name, [[name, text]], fixed] as const),
    ['all of them', FOREIGN, FOREIGN.reduce((sum, [, , fixed]) => sum + fixed, 0)] as const,
  ])('in %s', async (_, files, fixed) => {
    for (const [name, text] of files) await file(name, text);
    const announced = / --fix fixes (\d+) quer/.exec((await runCommand(['lint', folder])).stderr)?.[1];
    const made = /Fixed (\d+) quer/.exec((await runCommand(['lint', '--fix', folder])).stderr)?.[1];
    expect({ announced: Number(announced ?? 0), made: Number(made ?? 0) }).toEqual({
      announced: fixed,
      made: fixed,
    });
    expect((await runCommand(['lint', folder])).stderr).not.toContain('--fix fixes');
  });
});

describe('logclient lint', () => {
  it('reports problems in files and templates with line and column, and exits with 1', async () => {
    const query = await file('a.lql', '// Errors\nlevel=error\n| limit 10\n');
    const program = await file('src/b.ts', PROGRAM);
    const { code, stdout, stderr } = await runCommand(['lint', folder]);
    expect(stdout).toContain(
      `${query}:3:3 warning "limit 10" is SQL. Write tail(10) instead. (sql-limit)\n3 | | limit 10\n  |   ^^^^^^^^\n`,
    );
    expect(stdout).toContain(
      `${program}:6:57 error groupBy() has no parameter "functon". Did you mean "function"? (unknown-parameter)`,
    );
    expect(stdout).toContain(`${program}:9:5 error "stats count by host" is SPL.`);
    expect(stdout.match(/^\S+:\d+:\d+ /gm)).toHaveLength(3);
    expect(stderr).toContain('3 problems in 4 queries.');
    expect(code).toBe(1);
  });

  it('counts hints, which are no problems', async () => {
    await file('a.cql', 'groupBy(host) | host=a*');
    const { code, stderr } = await runCommand(['lint', folder]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'No problems, 1 hint in 1 query.\n' });
  });

  it('exits with 0 if there are no problems', async () => {
    await file('a.cql', 'level=error | count()');
    const { code, stdout, stderr } = await runCommand(['lint', folder]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: 'No problems in 1 query.\n' });
  });

  it('skips node_modules, hidden folders and files of other types', async () => {
    await file('node_modules/a.lql', 'cuont()');
    await file('.git/a.lql', 'cuont()');
    await file('a.md', 'cuont()');
    const { code, stderr } = await runCommand(['lint', folder]);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`no queries in ${folder}`),
    });
  });

  it('prints JSON with lines, columns and fixes with --output json', async () => {
    const path = await file('a.lql', 'level=error\n| cuont()');
    const { code, stdout } = await runCommand(['lint', path, '--output', 'json']);
    expect(JSON.parse(stdout)).toEqual([
      {
        path,
        line: 2,
        column: 3,
        endLine: 2,
        endColumn: 8,
        severity: 'error',
        code: 'unknown-function',
        message: 'There is no function "cuont". Did you mean "count"?',
        fix: { start: 14, end: 19, text: 'count' },
        isSuggestion: true,
      },
    ]);
    expect(code).toBe(1);
  });

  it('prints escaped GitHub annotations with --output github', async () => {
    const path = await file('a,b.lql', 'groupBy(host) | host=a* | x=100%');
    const { stdout } = await runCommand(['lint', path, '--output', 'github']);
    const place = `file=${path.replaceAll(',', '%2C')},line=1,col=`;
    expect(stdout.split('\n')).toEqual([
      expect.stringContaining(`::notice ${place}17,endLine=1,endColumn=24,title=filter-first::This filter`),
      expect.stringContaining(`::warning ${place}27,endLine=1,endColumn=28,title=missing-field::No row has`),
      '',
    ]);
  });

  it.each([
    ['error', 'level=error | limit 10', 0],
    ['warning', 'level=error | limit 10', 1],
    ['warning', 'groupBy(host) | host=a*', 0],
    ['info', 'groupBy(host) | host=a*', 1],
    ['error', 'cuont()', 1],
  ])('with --fail-on %s, the query %s makes it exit with %i', async (severity, query, code) => {
    const path = await file('a.lql', query);
    expect(await runCommand(['lint', path, '--fail-on', severity])).toMatchObject({ code });
  });

  it('fixes queries and templates with --fix-suggestions, and keeps the values of templates', async () => {
    const query = await file('a.lql', "level='error' | limit 10\n");
    const program = await file('b.ts', PROGRAM);
    const { code } = await runCommand(['lint', folder, '--fix-suggestions']);
    expect(await readFile(query, 'utf8')).toBe('level="error" | tail(10)\n');
    expect(await readFile(program, 'utf8')).toBe(
      PROGRAM.replace('functon', 'function').replace(
        'stats count by host',
        'host=* | groupBy(host, function=count())',
      ),
    );
    expect(code).toBe(0);
  });

  it('checks a query from stdin', async () => {
    const { code, stdout } = await piped(['lint', '-', '--output', 'github'], 'cuont()');
    expect(stdout).toContain('::error file=-,line=1,col=1,');
    expect(code).toBe(1);
  });

  it('with --fix, changes only queries that can not be parsed', async () => {
    const parsed = 'level=error && cuont() | limit 5 | groupBy(host) | count > 5\n';
    const path = await file('a.lql', parsed);
    await file('b.lql', "level='error' | stats count by host\n");
    await runCommand(['lint', folder, '--fix']);
    expect(await readFile(path, 'utf8')).toBe(parsed);
    expect(await readFile(join(folder, 'b.lql'), 'utf8')).toBe(
      'level=/\\Aerror\\z/i | host=* | groupBy(host, function=count())\n',
    );
  });

  it('fixes a template inside the value of another one', async () => {
    const path = await file('a.ts', 'const a = lql`a=${f(lql`cuont()`)} | cuont()`;\n');
    await runCommand(['lint', path, '--fix-suggestions']);
    expect(await readFile(path, 'utf8')).toBe('const a = lql`a=${f(lql`count()`)} | count()`;\n');
  });

  it('shows what can differ after a fix, and that --fix-suggestions writes more', async () => {
    await file('a.lql', '* | stats p95(ms), count');
    await file('b.lql', 'msg:"db timeout"');
    expect((await runCommand(['lint', folder])).stderr).toMatch(
      / --fix fixes 1 query\. Some have .*: --fix-sugg/,
    );
    const { stderr } = await runCommand(['lint', '--fix', folder]);
    expect(stderr).not.toContain('--fix fixes');
    expect(stderr.match(/.*differ\./g)).toEqual([
      `${join(folder, 'a.lql')}: fixed. Results of few values can differ.`,
    ]);
    expect(stderr).toContain('--fix-suggestions writes it.');
  });

  it('reports that a file that is named on the command line has no queries, which hooks may pass', async () => {
    const path = await file('a.ts', 'export const a = 1;\n');
    expect(await runCommand(['lint', path])).toMatchObject({
      code: 0,
      stderr: `No queries in ${path}.\n`,
    });
  });

  it('reports how many queries --fix-suggestions has changed', async () => {
    await file('a.lql', 'level=error | cuont()\n');
    await file('b.lql', 'count()\n');
    expect(await runCommand(['lint', '--fix-suggestions', folder])).toMatchObject({
      code: 0,
      stderr: 'Fixed 1 query in 1 file. No problems in 2 queries.\n',
    });
  });

  it('with --fix, writes the fixed query from stdin to stdout and the report to stderr', async () => {
    const fixed = await piped(['lint', '--fix-suggestions', '-'], 'level=error | cuont()\n');
    expect(fixed).toMatchObject({ code: 0, stdout: 'level=error | count()\n' });
    const query = 'count() | whatever=1\n';
    for (const output of ['text', 'json', 'github']) {
      const { code, stdout, stderr } = await piped(['lint', '--fix', '-', '--output', output], query);
      expect({ code, stdout }).toEqual({ code: 1, stdout: query });
      expect(stderr).toContain('missing-field');
    }
  });

  it('with --fix, writes a query from stdin to stdout unchanged if there is nothing to fix', async () => {
    const query = 'level=error | count()\n';
    expect(await piped(['lint', '--fix', '-'], query)).toMatchObject({ code: 0, stdout: query });
  });

  it.each(MENTIONS)('ignores %s, and finds the query after it', async (_, text) => {
    const path = await file('a.ts', `${text}\nconst q = lql\`cuont()\`;\n`);
    const { stdout, stderr } = await runCommand(['lint', '--fix-suggestions', path]);
    const report = 'Fixed 1 query in 1 file. No problems in 1 query.\n';
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: report });
    expect(await readFile(path, 'utf8')).toBe(`${text}\nconst q = lql\`count()\`;\n`);
  });

  it('finds queries inside the values of other templates and of queries', async () => {
    const text =
      'const a = `x ${f(lql`cuont() | a=${`}${b}`}`)} ${c}`;\nconst d = lql`a=${e(lql`cuont()`)} | cuont()`;\n';
    const path = await file('a.ts', text);
    const { stdout } = await runCommand(['lint', path]);
    expect(stdout.match(/^\S+:\d+:\d+ error/gm)).toEqual([
      `${path}:1:22 error`,
      `${path}:2:25 error`,
      `${path}:2:38 error`,
    ]);
  });

  it.each([
    [['lint'], 'no files given'],
    [['lint', 'nowhere'], 'there is no file or folder nowhere. To read stdin, pass "-".'],
    [['format', '--write', '--check', '-'], "can't be combined"],
  ])('%j exits with 2 and reports why', async (words, reason) => {
    const { code, stderr } = await runCommand(words);
    expect(stderr).toContain(reason);
    expect(code).toBe(2);
  });
});

describe('logclient format', () => {
  it('writes parentheses around "or" beside "and" with --parens', async () => {
    const path = await file('a.lql', 'a=1 b=2 or c=3');
    const { code, stdout } = await runCommand(['format', '--parens', path]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'a=1 (b=2 or c=3)\n' });
  });

  it('prints the formatted file and leaves the file unchanged', async () => {
    const path = await file('a.lql', 'level = error\n|count( )');
    const { code, stdout } = await runCommand(['format', path]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'level=error\n| count()\n' });
    expect(await readFile(path, 'utf8')).toBe('level = error\n|count( )');
  });

  it('formats stdin', async () => {
    expect(await piped(['format', '-'], 'level = error|count( )')).toMatchObject({
      code: 0,
      stdout: 'level=error | count()\n',
    });
  });

  it('with --write, formats templates with their indentation, and skips incomplete queries', async () => {
    const path = await file(
      'a.ts',
      [
        'function f() {',
        '  return lql`',
        '    level = ${level}',
        '    |groupBy( ${{ a: 1 }.a} )',
        '  `;',
        '}',
        'const g = lql`a = 1',
        '|b = ${x}`;',
        'const h = lql`groupBy( `;',
        'const i = lql`a = "x\\`y"`;',
        '',
      ].join('\n'),
    );
    await runCommand(['format', '--write', path]);
    const text = await readFile(path, 'utf8');
    expect(text).toBe(
      [
        'function f() {',
        '  return lql`',
        '    level=${level}',
        '    | groupBy(${{ a: 1 }.a})',
        '  `;',
        '}',
        'const g = lql`a=1',
        '  | b=${x}`;',
        'const h = lql`groupBy( `;',
        'const i = lql`a = "x\\`y"`;',
        '',
      ].join('\n'),
    );
    await runCommand(['format', '--write', path]);
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it.each(MENTIONS)('with --write, does not change %s', async (_, text) => {
    const path = await file('a.ts', text);
    expect(await runCommand(['format', '--write', path])).toMatchObject({ code: 0 });
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('with --check, lists unformatted files and exits with 1', async () => {
    const path = await file('a.lql', 'a = 1');
    await file('b.lql', 'a=1\n');
    const { code, stdout, stderr } = await runCommand(['format', '--check', folder]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`${path}\n`);
    expect(stderr).toContain('not formatted: 1 of 2.');
    await runCommand(['format', '--write', folder]);
    expect(await runCommand(['format', '--check', folder])).toMatchObject({ code: 0 });
  });

  it('with --write, formats the other files of a folder if queries are invalid, and reports all of these', async () => {
    const bad = [await file('a.lql', 'a=('), await file('b.lql', '| groupBy(')];
    const good = await file('c.lql', 'a = 1');
    const { code, stderr } = await runCommand(['format', '--write', folder]);
    expect(code).toBe(1);
    for (const path of bad) expect(stderr).toContain(`${path}:1:`);
    expect(await readFile(good, 'utf8')).toBe('a=1\n');
  });

  it.each([
    ['a.lql', '\ufeffa = 1\r\n| b = "x\r\ny"\r\n', '\ufeffa=1\r\n| b="x\r\ny"\r\n'],
    ['a.lql', 'a = "x\ny"\r\n', 'a="x\ny"\n'],
    ['a.ts', 'lql`\r\n a = 1\r\n | b = 2\r\n`;\r\n', 'lql`\r\n a=1\r\n | b=2\r\n`;\r\n'],
  ])('keeps a byte order mark and newlines of Windows in %s: %j', async (name, text, formatted) => {
    const path = await file(name, text);
    await runCommand(['format', '--write', path]);
    expect(await readFile(path, 'utf8')).toBe(formatted);
  });

  it('breaks lines at --width', async () => {
    const path = await file('a.lql', 'groupBy([host, user], limit=max)');
    const { stdout } = await runCommand(['format', '--width', '20', path]);
    expect(stdout).toBe('groupBy(\n  [host, user],\n  limit=max\n)\n');
  });

  it('reports the line of a syntax error and exits with 1', async () => {
    const path = await file('a.lql', 'level=error\n| groupBy(');
    const { code, stderr } = await runCommand(['format', path]);
    expect(stderr).toContain(`${path}:2:`);
    expect(stderr).toContain('the query is invalid.');
    expect(code).toBe(1);
  });
});
