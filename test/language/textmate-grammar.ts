import { functionList } from '../../src/language/index.ts';

/** A rule of a TextMate grammar. */
export interface GrammarRule {
  readonly [name: string]: unknown;
}

const functions = functionList().toSorted((a, b) => b.length - a.length);
const NAMES = functions.map((name) => name.replace(/[.:]/g, '\\$&')).join('|');

const STRING: GrammarRule = {
  name: 'string.quoted.double.lql',
  begin: '"',
  end: '"',
  patterns: [{ name: 'constant.character.escape.lql', match: '\\\\.' }],
};

/** The parts of a query, as `highlight()` finds them. */
const PATTERNS: readonly GrammarRule[] = [
  { name: 'comment.line.double-slash.lql', match: '(?<![:/*\\w])//.*$' },
  { name: 'comment.block.lql', begin: '/\\*', end: '\\*/' },
  {
    name: 'entity.name.function.saved-query.lql',
    match: '\\$(?:"(?:[^"\\\\]|\\\\.)*"|[\\w./:-]+)',
  },
  { name: 'variable.parameter.lql', match: '\\?(?:"(?:[^"\\\\]|\\\\.)*"|\\w+|\\{)?' },
  {
    name: 'variable.other.field.lql',
    match: '"(?:[^"\\\\]|\\\\.)*"(?=\\s*(?:!?=(?!~|=)|:=|=~|<=>|[<>]=?))',
  },
  STRING,
  {
    name: 'string.regexp.lql',
    match:
      '(?:(?<=[=(,|!{;]|=>|\\b(?:or|and|not))\\s*|^\\s*)(/(?:[^/\\\\\\n*]|\\\\.)(?:[^/\\\\\\n]|\\\\.)*/[a-zA-Z]*)',
    captures: { '1': { name: 'string.regexp.lql' } },
  },
  { name: 'support.function.lql', match: `(?i:(?<![\\w:.])(?:${NAMES}))(?=\\()` },
  { name: 'keyword.control.lql', match: '(?i:\\b(?:case|match)\\b)(?=\\s*\\{)' },
  {
    name: 'keyword.operator.logical.lql',
    match: '(?i:(?<![\\w.])(?:and|or|not|like)(?![\\w.]))(?!\\s*(?:=|:=))',
  },
  { name: 'constant.language.lql', match: '(?i:(?<![\\w.])(?:true|false)(?![\\w.]))(?!\\s*=)' },
  {
    match: '([@#]?[\\w.]+(?:\\[\\d*\\])?)(?=\\s*(?:!?=(?!~|=)|:=|=~|<=>|[<>]=?))',
    captures: { '1': { name: 'variable.other.field.lql' } },
  },
  { name: 'constant.numeric.lql', match: '(?<![\\w.@#:-])\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?(?![\\w.:-])' },
  { name: 'keyword.operator.lql', match: '<=>|:=|=>|=~|==|!=|<=|>=|[=!<>+\\-*/%|]' },
];

/** The grammar of query files. */
export const QUERY_GRAMMAR: GrammarRule = {
  $schema: 'https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json',
  name: 'LogScale Query Language',
  scopeName: 'source.lql',
  fileTypes: ['lql', 'cql', 'logscale'],
  patterns: PATTERNS,
};

const QUERY = [{ include: 'source.lql' }];

function injection(scopeName: string, selector: string, patterns: readonly GrammarRule[]): GrammarRule {
  return { scopeName, injectionSelector: selector, patterns };
}

/** Code blocks of Markdown. */
export const MARKDOWN_GRAMMAR = injection('markdown.lql', 'L:text.html.markdown', [
  {
    name: 'markup.fenced_code.block.markdown',
    begin: '(?i:(^|\\G)([ \\t>]*)(`{3,}|~{3,})\\s*(?:logscale|cql|lql|humio)(?![\\w-])[^`]*$)',
    while: '(^|\\G)(?![ \\t>]*(?:`{3,}|~{3,})\\s*$)',
    contentName: 'meta.embedded.block.lql',
    patterns: QUERY,
  },
]);

/** Blocks and strings of YAML. */
export const YAML_GRAMMAR = injection('yaml.lql', 'L:source.yaml', [
  {
    begin: '^(\\s*)(?:- +)?(queryString|cql|query|script)(:)\\s+([|>][-+\\d]*)\\s*$',
    beginCaptures: {
      '2': { name: 'entity.name.tag.yaml' },
      '3': { name: 'punctuation.separator.key-value.mapping.yaml' },
      '4': { name: 'keyword.control.flow.block-scalar.yaml' },
    },
    while: '^(?:\\1\\s+|\\s*$)',
    contentName: 'meta.embedded.block.lql',
    patterns: QUERY,
  },
]);

/** Templates, and strings after a comment, in TypeScript and JavaScript. */
export const TEMPLATE_GRAMMAR = injection(
  'template.lql',
  'L:source.ts, L:source.tsx, L:source.js, L:source.jsx',
  [
    {
      contentName: 'meta.embedded.block.lql',
      begin: '(?:(?<![.\\w])(lql)|/\\*\\s*lql\\s*\\*/\\s*)(`)',
      beginCaptures: {
        '1': { name: 'entity.name.function.tagged-template' },
        '2': { name: 'punctuation.definition.string.template.begin' },
      },
      end: '`',
      patterns: [{ begin: '\\$\\{', end: '\\}', patterns: [{ include: 'source.ts' }] }, ...QUERY],
    },
  ],
);
