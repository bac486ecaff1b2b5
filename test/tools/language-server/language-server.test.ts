// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the sources of programs
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { check, highlight, parse } from '../../../src/language/index.ts';
import { startCli } from '../../helpers/cli-process.ts';
import { eventually } from '../../helpers/eventually.ts';
import { LanguageClient } from '../../helpers/language-client.ts';

beforeAll(() => void vi.setConfig({ testTimeout: 60_000 }));

const PROGRAM = `import { lql } from 'logclient';
const text = \`cuont()\`;
export const one = lql\`level = \${level} | groupBy(host, functon=count())\`;
export const two = lql\`
  status=500|cuont()
\`;
`;

describe('Diagnostics of logclient language-server', () => {
  it('have a range, severity and code, and disappear when the query is fixed', async () => {
    const client = await LanguageClient.connect();
    const document = await client.open('level=error\n| cuont()\n');
    expect(await document.diagnostics()).toEqual([
      {
        range: { start: { line: 1, character: 2 }, end: { line: 1, character: 7 } },
        severity: 1,
        code: 'unknown-function',
        source: 'logclient',
        message: expect.stringContaining('count'),
      },
    ]);
    await document.replace('cuont', 'count');
    expect(await document.diagnostics()).toEqual([]);
    await document.replace('count()', 'groupBy(host) | count > 5');
    expect(await document.diagnostics()).toMatchObject([{ code: 'missing-field', severity: 2 }]);
  });

  it('are removed when the document is closed', async () => {
    const client = await LanguageClient.connect();
    const document = await client.open('cuont()');
    expect(await document.diagnostics()).toHaveLength(1);
    await document.close();
    await eventually(() => expect(client.published(document.uri)).toEqual([]));
  });

  it('have the right range in templates of a program, also with CRLF', async () => {
    const client = await LanguageClient.connect();
    for (const [name, text] of [
      ['app.ts', PROGRAM],
      ['windows.mjs', PROGRAM.replaceAll('\n', '\r\n')],
    ] as const) {
      const document = await client.open(text, name, 'typescript');
      expect(await document.problems()).toEqual(['unknown-parameter "functon"', 'unknown-function "cuont"']);
    }
  });

  it('cover only lql templates in an unsaved TSX document', async () => {
    const client = await LanguageClient.connect();
    const document = await client.open(PROGRAM, 'untitled', 'typescriptreact');
    expect(await document.problems()).toEqual(['unknown-parameter "functon"', 'unknown-function "cuont"']);
  });
});

describe('Code actions of logclient language-server', () => {
  it.each([
    'level=error | cuont()',
    'level == "error"',
    'status>=500 | stats count by host',
    'status=500 | "free text',
  ])('fix the problem in %j', async (query) => {
    const client = await LanguageClient.connect();
    const document = await client.open(query);
    const [action] = (await document.codeActions(query))!;
    expect(action).toMatchObject({ kind: 'quickfix', diagnostics: [{ source: 'logclient' }] });
    const [problem] = check(query);
    await document.edit(action!.edit!.changes![document.uri]!);
    expect(() => parse(document.text)).not.toThrow();
    expect((await document.problems()).map((text) => text.split(' ')[0])).not.toContain(problem!.code);
  });

  it('change only the query in a template, and keep its values', async () => {
    const client = await LanguageClient.connect();
    const document = await client.open(PROGRAM, 'app.ts', 'typescript');
    const [action] = (await document.codeActions('functon'))!;
    expect(action!.title).toBe('Replace with "function"');
    await document.edit(action!.edit!.changes![document.uri]!);
    expect(document.text).toBe(PROGRAM.replace('functon', 'function'));
    expect(await document.codeActions('level =')).toEqual([]);
  });
});

describe('Completion of logclient language-server', () => {
  it.each([
    ['query.lql', 'lql', 'level=error | grou'],
    ['app.ts', 'typescript', 'const query = lql`level=${level} | grou`;'],
  ])('inserts a function in %s', async (name, language, text) => {
    const client = await LanguageClient.connect();
    const document = await client.open(text, name, language);
    const { items } = (await document.completions('grou'))!;
    const item = items.find(({ label }) => label === 'groupBy')!;
    expect(item).toMatchObject({ kind: 3, detail: expect.stringContaining('groupBy(') });
    await document.edit([item.textEdit as never]);
    expect(document.text).toBe(text.replace('grou', 'groupBy('));
  });

  it('offers nothing outside of templates or in their values', async () => {
    const client = await LanguageClient.connect();
    const document = await client.open(PROGRAM, 'app.ts', 'typescript');
    expect((await document.completions('const te'))!.items).toEqual([]);
    expect((await document.completions('${le'))!.items).toEqual([]);
    expect((await document.completions('lql`'))!.items).not.toEqual([]);
  });
});

describe('Hover of logclient language-server', () => {
  it('shows the usage of a function as Markdown', async () => {
    const client = await LanguageClient.connect();
    const document = await client.open(PROGRAM, 'app.ts', 'typescript');
    const hover = (await document.hover('groupBy'))!;
    expect(hover.range).toEqual(document.rangeOf('groupBy'));
    expect(hover.contents).toMatchObject({
      kind: 'markdown',
      value: expect.stringMatching(/^```lql\ngroupBy\(/),
    });
    expect(await document.hover('const')).toBeNull();
  });

  it('shows the type of the rows after a step', async () => {
    const client = await LanguageClient.connect();
    const document = await client.open('upper(a) | groupBy(#host, function=max(ms)) | drop(#host)');
    const shown = async (word: string) => JSON.stringify((await document.hover(word))?.contents);
    const type = (...lines: string[]) =>
      JSON.stringify(['```ts', '{', ...lines, '}', '```'].join('\n')).slice(1, -1);
    expect(await shown('groupBy')).toContain(
      type('  readonly "#host"?: string;', '  readonly _max?: number;'),
    );
    expect(await shown('drop')).toContain(type('  readonly _max?: number;'));
    expect(await shown('upper')).not.toContain('```ts');
  });
});

describe('Formatting of logclient language-server', () => {
  it.each([
    ['query.cql', 'lql', 'level=error|groupBy(host) // all\n', 'level=error | groupBy(host) // all\n'],
    ['app.ts', 'typescript', PROGRAM, PROGRAM.replace('status=500|cuont()', 'status=500\n  | cuont()')],
  ])('is idempotent for %s', async (name, language, text, formatted) => {
    const client = await LanguageClient.connect();
    const document = await client.open(text, name, language);
    await document.edit((await document.formatting())!);
    expect(document.text.replace(/\s+/g, '')).toBe(formatted.replace(/\s+/g, ''));
    expect(document.text).not.toBe(text);
    expect(await document.formatting()).toEqual([]);
  });

  it('keeps CRLF newlines', async () => {
    const client = await LanguageClient.connect();
    const document = await client.open('level=error|groupBy(host)\r\n// the end\r\n|count()\r\n');
    await document.edit((await document.formatting())!);
    expect(document.text).not.toMatch(/(?<!\r)\n/);
    expect(await document.formatting()).toEqual([]);
  });

  it('leaves an invalid query unchanged', async () => {
    const client = await LanguageClient.connect();
    const document = await client.open('level=error|(');
    expect(await document.formatting()).toEqual([]);
  });
});

describe('Semantic tokens of logclient language-server', () => {
  it('classify the parts of a query file, and are empty for a program', async () => {
    const client = await LanguageClient.connect();
    const query = '/* two\n lines */ level=error | count()';
    const document = await client.open(query);
    const { data } = await document.semanticTokens();
    const { tokenTypes } = client.server.capabilities.semanticTokensProvider!.legend;
    const types = data.filter((_, index) => index % 5 === 3).map((type) => tokenTypes[type]);
    expect(types).toEqual(['comment', 'comment', 'property', 'operator', 'function']);
    expect(highlight(query).map(({ kind }) => kind)).toContain('function');
    const program = await client.open(PROGRAM, 'app.ts', 'typescript');
    expect(await program.semanticTokens()).toEqual({ data: [] });
  });
});

describe('logclient language-server', () => {
  it('handles unknown methods and documents, and continues after invalid documents', async () => {
    const client = await LanguageClient.connect();
    await expect(client.connection.sendRequest('workspace/teleport', {})).rejects.toThrow(/teleport/);
    await expect(
      client.connection.sendRequest('textDocument/hover', {
        textDocument: { uri: 'file:///not-open.lql' },
        position: { line: 0, character: 0 },
      }),
    ).resolves.toBeNull();
    for (const [index, text] of ['\u0000\ud800', '"', '/*', '|||', '${}`', '('.repeat(5_000), ''].entries()) {
      const document = await client.open(text, `broken-${index}.lql`);
      await document.diagnostics();
      await document.formatting();
      await document.semanticTokens();
    }
    const document = await client.open('lql`${`', 'broken.ts', 'typescript');
    expect(await document.diagnostics()).toEqual([]);
  });

  it('checks a program of 100 kB, and reports a syntax error for a query of 200 kB', async () => {
    const client = await LanguageClient.connect();
    const program = await client.open(
      `${'f(`${1}`);\n'.repeat(10_000)}lql\`cuont()\``,
      'huge.ts',
      'typescript',
    );
    expect(await program.problems()).toEqual(['unknown-function "cuont"']);
    const query = await client.open('level=error | '.repeat(15_000));
    expect(await query.diagnostics()).toMatchObject([{ code: 'syntax' }]);
    expect(await query.formatting()).toEqual([]);
    expect(await query.hover('level')).toBeNull();
  });

  it('exits with 0 after shutdown and exit, and writes only protocol messages to stdout', async () => {
    const { client, program } = await LanguageClient.connectToProcess();
    const document = await client.open('cuont()');
    await document.diagnostics();
    await client.connection.sendRequest('shutdown');
    await client.connection.sendNotification('exit');
    expect(await program.ended).toBe(0);
    const { stdout, stderr } = program.output;
    expect(bodiesOf(stdout).every((body) => body.jsonrpc === '2.0')).toBe(true);
    expect(stderr).toBe('');
  });

  it('exits with 1 when stdin is closed', async () => {
    const { child, ended, output } = startCli(['language-server']);
    child.stdin!.end();
    expect(await ended).toBe(1);
    expect(output).toEqual({ stdout: '', stderr: '' });
  });

  it('rejects arguments with exit code 2', async () => {
    const { ended, output } = startCli(['language-server', 'query.lql']);
    expect(await ended).toBe(2);
    expect(output.stderr).toContain('argument');
  });
});

/** The messages in a stream that has nothing else. */
function bodiesOf(stream: string): { jsonrpc?: string }[] {
  const bytes = Buffer.from(stream);
  const bodies: { jsonrpc?: string }[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const [head = '', length = 'none'] =
      /^Content-Length: (\d+)\r\n\r\n/.exec(bytes.toString('utf8', offset)) ?? [];
    const start = offset + head.length;
    bodies.push(JSON.parse(bytes.toString('utf8', start, start + Number(length))));
    offset = start + Number(length);
  }
  return bodies;
}
