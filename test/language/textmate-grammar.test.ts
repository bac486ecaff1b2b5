// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the sources of programs
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import oniguruma from 'vscode-oniguruma';
import textmate, { type IGrammar, type IRawGrammar } from 'vscode-textmate';
import { describeFunction, functionList, type HighlightKind, highlight } from '../../src/language/index.ts';
import {
  type GrammarRule,
  MARKDOWN_GRAMMAR,
  QUERY_GRAMMAR,
  TEMPLATE_GRAMMAR,
  YAML_GRAMMAR,
} from './textmate-grammar.ts';

const FOLDER = resolve(import.meta.dirname, '../../editors/vscode');
const GRAMMARS = {
  lql: QUERY_GRAMMAR,
  markdown: MARKDOWN_GRAMMAR,
  yaml: YAML_GRAMMAR,
  template: TEMPLATE_GRAMMAR,
};

/** Files of other languages, into which queries are injected. */
const OUTER: Readonly<Record<string, GrammarRule>> = Object.fromEntries(
  ['text.html.markdown', 'source.yaml', 'source.ts'].map((scopeName) => [
    scopeName,
    { scopeName, patterns: [] },
  ]),
);

const wasm = await readFile(createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm'));
await oniguruma.loadWASM(wasm);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scopeName) => {
    const all = [...Object.values(GRAMMARS), ...Object.values(OUTER)];
    return (all.find((each) => each.scopeName === scopeName) ?? null) as IRawGrammar | null;
  },
  getInjections: (scopeName) =>
    ({ 'text.html.markdown': ['markdown.lql'], 'source.yaml': ['yaml.lql'], 'source.ts': ['template.lql'] })[
      scopeName
    ],
});

/** The innermost scope of each character. */
async function scopes(text: string, scopeName = 'source.lql'): Promise<string[]> {
  const grammar: IGrammar = (await registry.loadGrammar(scopeName))!;
  const found: string[] = [];
  let state = textmate.INITIAL;
  for (const line of text.split('\n')) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    for (const { startIndex, endIndex, scopes: all } of tokens) {
      for (let index = startIndex; index < Math.min(endIndex, line.length); index += 1)
        found.push(all.join(' '));
    }
    found.push('');
  }
  return found;
}

const SCOPES: Readonly<Partial<Record<HighlightKind, string>>> = {
  comment: 'comment.',
  string: 'string.quoted',
  regex: 'string.regexp',
  function: 'support.function',
  variable: 'variable.parameter',
  savedQuery: 'saved-query',
};

describe('The TextMate grammars', () => {
  it.each(Object.entries(GRAMMARS))('of %s is in its file', async (name, grammar) => {
    const file = resolve(FOLDER, `syntaxes/${name}.tmLanguage.json`);
    // As the formatter writes lists of strings.
    const text = JSON.stringify(grammar, undefined, 2).replace(
      /\[\s+("[^\]]*")\s+\]/g,
      (_, items: string) => `[${items.replace(/\s+/g, ' ')}]`,
    );
    await expect(`${text}\n`).toMatchFileSnapshot(file);
  });

  it('are those that the extension contributes', async () => {
    const { contributes } = JSON.parse(await readFile(resolve(FOLDER, 'package.json'), 'utf8'));
    const files = contributes.grammars.map(({ path, scopeName }: { path: string; scopeName: string }) => [
      path,
      scopeName,
    ]);
    expect(files).toEqual(
      Object.entries(GRAMMARS).map(([name, { scopeName }]) => [
        `./syntaxes/${name}.tmLanguage.json`,
        scopeName,
      ]),
    );
  });

  it.each(functionList())(
    'find the same functions, strings and comments as highlight() in the example of %s',
    async (name) => {
      const { example } = describeFunction(name)!;
      const found = await scopes(example);
      for (const { kind, span } of highlight(example)) {
        const scope = SCOPES[kind];
        if (
          scope === undefined ||
          (kind === 'function' && describeFunction(example.slice(span.start, span.end)) === undefined)
        )
          continue;
        for (let index = span.start; index < span.end; index += 1) {
          if (example[index] !== '\n') expect(`${example}\n${index}: ${found[index]}`).toContain(scope);
        }
      }
    },
  );

  it.each([
    ['text.html.markdown', 'a\n```cql title\ncount() // x\n```\ncount()', [true, false]],
    [
      'source.yaml',
      'count()\ncql: |-\n  count() // x\n\n  | count()\nb: count()',
      [false, true, true, false],
    ],
    [
      'source.ts',
      'count()\nlql`count() ${a} // x\n`; /* lql */ `count()`; sql.lql`count()`',
      [false, true, true, false],
    ],
  ])('find queries inside %s', async (scopeName, text, expected) => {
    const found = await scopes(text, scopeName);
    const places = [...text.matchAll(/count\(\)|\/\/ x/g)].map(
      ({ 0: word, index }) => [word, found[index]!] as const,
    );
    const calls = places
      .filter(([word]) => word === 'count()')
      .map(([, scope]) => scope.includes('support.function'));
    expect(calls).toEqual(expected);
    for (const [word, scope] of places) if (word === '// x') expect(scope).toContain('comment');
  });
});
