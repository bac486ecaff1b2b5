import type { FormatFlags } from '../../lint/format-files.ts';
import type { LintFlags } from '../../lint/lint.ts';
import { wholeNumber } from '../../output/flag-values.ts';
import { COLOR } from '../../output/output-flags.ts';
import type { CommandGroup, CommandRow } from '../command.ts';
import type { QueryTypesFlags } from '../query-types/query-types.ts';
import type { QueryTestFlags } from '../tests/query-tests.ts';
import { KEYS, REPORT_FORMAT } from './test-flags.ts';

const PATHS =
  'Files or folders ("-" for stdin): .lql and .cql files, lql`…` templates in TypeScript and JavaScript, queries in YAML and JSON, and code blocks in Markdown.';

export const LINT: CommandRow<LintFlags> = {
  usage: 'lint [paths...]',
  about:
    'Find problems in queries. Needs no server. Finds unknown functions and parameters, wrong arguments, fields that no row can have, and syntax from SPL, SQL, KQL, LogQL, Lucene and jq. Exits with status 1 if there are problems, and with 2 if a folder contains no queries.',
  args: [PATHS],
  flags: [
    REPORT_FORMAT,
    KEYS,
    ['--fix', "Write the fixes of queries that can't be parsed to the files."],
    [
      '--fix-suggestions',
      'Also write the suggested fixes of errors and warnings in other queries, which change what they mean.',
    ],
    [
      '--fail-on <severity>',
      'Exit with status 1 from this severity on. Default: warning.',
      ['error', 'warning', 'info'],
    ],
    COLOR,
  ],
  examples: [
    ['logclient lint src queries', 'check all queries of a project'],
    ['logclient lint queries --key rule.condition', 'also check the member "condition" of "rule" in YAML'],
    ['logclient lint queries --output github', 'annotate a pull request in a GitHub workflow'],
    ["echo 'level=error | count()' | logclient lint -", 'check a query from a pipe'],
  ],
  run: async (flags, paths: readonly string[]) => (await import('../../lint/lint.ts')).lint(paths, flags),
};

export const FORMAT: CommandRow<FormatFlags> = {
  usage: 'format [paths...]',
  about:
    'Format queries. Comments stay, and the meaning never changes. Writes to stdout unless --write or --check is given. Text outside of queries stays as it is. Queries in folded, escaped and shared YAML strings are reported, but not formatted.',
  args: [PATHS],
  flags: [
    ['-o, --output <format>', 'Report format of --check. Default: text.', ['text', 'github']],
    KEYS,
    ['--write', 'Write the formatted queries to the files.'],
    [
      '--check',
      'Only list files that are not formatted, and exit with status 1 if there are any.',
      undefined,
      'write',
    ],
    ['--parens', 'Write parentheses around each "or" beside an "and".'],
    ['--width <columns>', 'Line width. Default: 100.', wholeNumber(20, 1000)],
  ],
  examples: [
    ['logclient format query.lql', 'show a formatted query'],
    ['logclient format --write src queries', 'format all queries of a project'],
    ['logclient format --check src queries', 'check in CI that all queries are formatted'],
  ],
  run: async (flags, paths: readonly string[]) =>
    (await import('../../lint/format-files.ts')).formatFiles(paths, flags),
};

const TEST: CommandRow<QueryTestFlags> = {
  usage: 'test [paths...]',
  about:
    'Run the tests of queries. Needs no server: events in, rows out. The tests of errors.lql are in errors.test.yaml. Those of a query in YAML can also be beside it, as its member "tests". Exits with status 1 if a test fails.',
  args: ['Test files (*.test.yaml), YAML files with queries and tests, or folders.'],
  flags: [
    KEYS,
    ['--coverage', 'Also report filters and arms of case and match that no test decides.'],
    ['--update', 'Write the rows of failed tests to the test files as the expected rows.'],
    REPORT_FORMAT,
    COLOR,
  ],
  examples: [
    ['logclient queries test queries', 'run all tests in a folder'],
    ['logclient queries test queries --coverage', 'also show what the tests do not decide'],
    ['logclient queries test queries --output junit > report.xml', 'write a report for CI'],
    ['logclient queries test queries/errors.test.yaml --update', 'write the expected rows'],
  ],
  run: async (flags, paths: readonly string[]) =>
    (await import('../tests/query-tests.ts')).testQueries(paths, flags),
};

const TYPES: CommandRow<QueryTypesFlags> = {
  usage: 'types [paths...]',
  about:
    'Write TypeScript functions for queries. Writes errors.lql.ts beside errors.lql: a function for each query, with the types of its parameters and rows. Exits with status 1 if a query is invalid. Never overwrites other files.',
  args: ['Files with queries, folders, or patterns in quotes.'],
  flags: [
    KEYS,
    ['--check', 'Only show what is not up to date, and exit with status 1.'],
    ['--watch', 'Write again after each change, until Ctrl-C.', undefined, 'check'],
  ],
  examples: [
    ["logclient queries types 'queries/**/*.lql'", 'write the types of all queries'],
    ['logclient queries types queries --check', 'check in CI that the types are up to date'],
  ],
  run: async (flags, paths: readonly string[]) =>
    (await import('../query-types/query-types.ts')).writeQueryTypes(paths, flags),
};

export const QUERIES: CommandGroup = {
  name: 'queries',
  about: 'Test queries, and write their types. Needs no server.',
  commands: [TEST, TYPES],
};
