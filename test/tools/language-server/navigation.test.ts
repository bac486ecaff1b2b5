// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the sources of programs
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type {
  DocumentSymbol,
  FoldingRange,
  Location,
  SignatureHelp,
  WorkspaceEdit,
} from 'vscode-languageserver/node';
import { LanguageClient, type OpenDocument } from '../../helpers/language-client.ts';

beforeAll(() => void vi.setConfig({ testTimeout: 60_000 }));

const RULE = `name: Failed logons
cql: |
  user=eva
  | case {
      a=1 | x := 1;
      *;
    }
  | groupBy([user, "Full name"], function=count(as=n))
  | n > 5 or user=/(?<user>.*)/
other: 1
`;

async function open(text: string, name: string, language: string) {
  const client = await LanguageClient.connect();
  const document = await client.open(text, name, language);
  const request = <Result>(method: string, more: object = {}): Promise<Result> =>
    client.connection.sendRequest<Result>(`textDocument/${method}`, {
      textDocument: { uri: document.uri },
      ...more,
    });
  return { client, document, request };
}

/** The position after a text. */
function endOf(document: OpenDocument, text: string) {
  return document.rangeOf(text).end;
}

describe('Signature help of logclient language-server', () => {
  it.each([
    ['groupBy(', 'field'],
    ['groupBy(user, function=', 'function'],
    ['level=error | head(', 'limit'],
  ])('shows the usage after %s, and the parameter %s', async (text, parameter) => {
    const { document, request } = await open(text, 'a.lql', 'lql');
    const help = await request<SignatureHelp>('signatureHelp', { position: endOf(document, text) });
    const [signature] = help.signatures;
    expect(signature!.parameters![help.activeParameter!]!.label).toBe(parameter);
    expect(signature!.label).toContain(parameter);
  });

  it('is empty outside of calls', async () => {
    const { document, request } = await open('level=error', 'a.lql', 'lql');
    expect(await request('signatureHelp', { position: endOf(document, 'level') })).toBeNull();
  });
});

describe('Outline and folding of logclient language-server', () => {
  it('have the queries of a YAML file with their steps', async () => {
    const { request } = await open(RULE, 'rule.yaml', 'yaml');
    const [symbol, ...more] = await request<DocumentSymbol[]>('documentSymbol');
    expect(more).toEqual([]);
    expect(symbol!.name).toBe('Failed logons');
    expect(symbol!.range).toEqual({ start: { line: 2, character: 2 }, end: { line: 8, character: 31 } });
    expect(symbol!.children!.map(({ name }) => name)).toEqual([
      'user=eva',
      'case { a=1 | x := 1; *; }',
      'groupBy([user, "Full name"], function=count(as=n))',
      'n > 5 or user=/(?<user>.*)/',
    ]);
    expect(await request<FoldingRange[]>('foldingRange')).toEqual([
      { startLine: 2, endLine: 8 },
      { startLine: 3, endLine: 6 },
    ]);
  });

  it('have the steps of a query file, and nothing for a syntax error', async () => {
    const { document, request } = await open('a=1\n| groupBy(x)', 'a.lql', 'lql');
    expect((await request<DocumentSymbol[]>('documentSymbol')).map(({ name }) => name)).toEqual([
      'a=1',
      'groupBy(x)',
    ]);
    await document.replace('groupBy(x)', 'groupBy(');
    expect(await request('documentSymbol')).toEqual([]);
  });
});

describe('Rename of logclient language-server', () => {
  async function renamed(text: string, at: string, newName: string, name = 'a.lql', language = 'lql') {
    const { document, request } = await open(text, name, language);
    const position = endOf(document, at);
    const edit = await request<WorkspaceEdit>('rename', { position, newName });
    await document.edit(edit.changes![document.uri]!);
    return document.text;
  }

  it.each([
    [
      'user=a | groupBy(user, function=max(user)) | sort(user)',
      'user',
      'u=a | groupBy(u, function=max(u)) | sort(u)',
    ],
    [
      'n := length(user) | user=/(?<n>x)/ | test(n > 1)',
      'n',
      'u := length(user) | user=/(?<u>x)/ | test(u > 1)',
    ],
    [
      'groupBy(a, function=count(as=n)) | select([n, a])',
      'as=n',
      'groupBy(a, function=count(as=u)) | select([u, a])',
    ],
    ['"n" = 1 | table(["n", n]) | eval(n=n+1)', '"n', '"u" = 1 | table(["u", u]) | eval(u=u+1)'],
    ['n="n" n // n', 'n', 'u="n" n // n'],
  ])('changes a field in %j, and no value, free text or comment', async (text, at, result) => {
    expect(await renamed(text, at, 'u')).toBe(result);
  });

  it('changes only the query at the position, in a YAML file', async () => {
    const text = await renamed(RULE, 'user', 'user.name', 'rule.yaml', 'yaml');
    expect(text).toBe(RULE.replaceAll('user', 'user.name'));
  });

  it('quotes a name that needs quotes', async () => {
    expect(await renamed('a=1 | groupBy(a)', 'a', 'Full name')).toBe('"Full name"=1 | groupBy("Full name")');
  });

  it('is rejected for the name of another field, and where there is no field', async () => {
    const { document, request } = await open('a=1 | groupBy(b) // c', 'a.lql', 'lql');
    const position = endOf(document, 'a');
    await expect(request('rename', { position, newName: 'b' })).rejects.toThrow(
      'The query already has a field "b".',
    );
    expect(await request('prepareRename', { position: endOf(document, '// c') })).toBeNull();
    expect(await request('prepareRename', { position })).toEqual(document.rangeOf('a'));
  });
});

describe('Definition of logclient language-server', () => {
  it('is the file or the YAML with a saved query or a parser', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'logclient-definition-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const each of ['alerts', 'queries', 'parsers']) await mkdir(join(folder, each));
    await writeFile(join(folder, 'alerts/errors.lql'), 'level=error');
    await writeFile(join(folder, 'queries/q.yaml'), 'name: slow\nqueryString: |\n  ms>100\n');
    await writeFile(join(folder, 'parsers/shop.yaml'), 'name: shop\nscript: parseJson()\ntagFields: []\n');
    const client = await LanguageClient.connect();
    const uri = pathToFileURL(join(folder, 'alerts/a.lql')).href;
    const text = '#type=shop $errors() | $"me/pkg:slow"() | $gone()';
    await client.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'lql', version: 1, text },
    });
    const definition = async (word: string): Promise<[string, number] | null> => {
      const position = { line: 0, character: text.indexOf(word) + 1 };
      const found = await client.connection.sendRequest<Location | null>('textDocument/definition', {
        textDocument: { uri },
        position,
      });
      return found && [found.uri.slice(pathToFileURL(folder).href.length), found.range.start.line];
    };
    expect(await definition('errors')).toEqual(['/alerts/errors.lql', 0]);
    expect(await definition('slow')).toEqual(['/queries/q.yaml', 2]);
    expect(await definition('shop')).toEqual(['/parsers/shop.yaml', 1]);
    expect(await definition('gone')).toBeNull();
  });
});

describe('Queries in other files, in logclient language-server', () => {
  it.each([
    ['a string after a comment', 'a.ts', 'typescript', "const a = /* lql */ 'a | cuont()';"],
    ['a template after a comment', 'a.ts', 'typescript', 'const a = f(/* lql */ `a=${1} | cuont()`);'],
    ['YAML', 'a.yaml', 'yaml', 'cql: |\n  a\n  | cuont()\n'],
    ['folded YAML', 'a.yml', 'yaml', 'cql: >\n  a\n  | cuont()\n'],
    ['JSON', 'a.json', 'json', '{"cql": "a=\\"b\\"\\n| cuont()"}'],
    ['Markdown', 'a.md', 'markdown', '> ```lql\n> a | cuont()\n> ```\n'],
  ])('have diagnostics, completion, hover and formatting in %s', async (_, name, language, text) => {
    const { document, request } = await open(text, name, language);
    expect(await document.problems()).toEqual(['unknown-function "cuont"']);
    const { items } = (await document.completions('| c'))!;
    expect(items.length).toBeGreaterThan(0);
    await document.edit((await document.formatting())!);
    const [action] = (await document.codeActions('cuont'))!;
    expect(action === undefined).toBe(name === 'a.yml');
    if (action === undefined) return;
    await document.edit(action.edit!.changes![document.uri]!);
    expect(document.text).toBe(text.replace('cuont', 'count'));
    expect(await document.problems()).toEqual([]);
    expect(await request('hover', { position: document.rangeOf('count').start })).toMatchObject({
      contents: { kind: 'markdown' },
    });
  });

  it.each(["'it\\'s cuont()'", '"cuont()"', 'sql`cuont()`'])('does not read %s', async (text) => {
    const mark = text.startsWith("'") ? '/* lql */ ' : '/* sql */ ';
    const { document } = await open(`const a = ${mark}${text};`, 'a.ts', 'typescript');
    expect(await document.problems()).toEqual([]);
  });
});
